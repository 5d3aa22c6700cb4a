import type { Logger } from 'pino';
import type { Database } from '../../../core/database/database.js';
import type { Clock } from '../../../core/domain/clock.js';
import type { Config } from '../../../core/process/config.js';
import type { RedisLink } from '../../http/limits.js';
import type { QueueAccess } from '../queue-access.js';
import type { Audit } from './audit.js';
import type { identifyOperator } from './guard.js';
import type { Sessions } from './sessions.js';
import type { OperatorTokens } from './token.js';

export interface AdminDependencies {
  config: Pick<Config, 'ADMIN_TOKEN' | 'ADMIN_PORT' | 'RATE_LIMITS'>;
  clock: Clock;
  log: Logger;
  database: Database;
  queues?: QueueAccess | undefined;
  /** Counts wrong tokens for all processes together. */
  redis?: RedisLink | undefined;
}

/** What the routes of the API for operators share with the pages of the console. */
export interface Operators extends AdminDependencies {
  audit: Audit;
  sessions: Sessions;
  tokens: OperatorTokens;
  identify: ReturnType<typeof identifyOperator>;
}
