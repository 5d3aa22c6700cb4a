import { describe } from 'vitest';
import { redisMissing, testRedis } from '../../support/redis.js';
import { queueCases } from './queue-cases.js';

describe.skipIf(redisMissing)('on Redis', () => {
  queueCases(async () => ({ databaseUrl: '', redisUrl: (await testRedis()).url }));
});
