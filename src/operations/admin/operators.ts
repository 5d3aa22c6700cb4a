import type { Logger } from 'pino';
import type { Database } from '../../../core/database/database.js';
import type { Clock } from '../../../core/domain/dates.js';
import type { Config } from '../../../core/process/config.js';
import type { RedisLink } from '../../http/limits.js';
import type { QueueAccess } from '../queue-access.js';
import { openAudit } from './audit.js';
import { identifyOperator } from './guard.js';
import { openSessions } from './sessions.js';
import { openOperatorTokens } from './token.js';

export interface AdminDependencies {
  config: Pick<Config, 'ADMIN_TOKEN' | 'ADMIN_PORT' | 'RATE_LIMITS'>;
  clock: Clock;
  log: Logger;
  database: Database;
  queues?: QueueAccess | undefined;
  /** Counts wrong tokens for all processes together. */
  redis?: RedisLink | undefined;
}

export type Operators = ReturnType<typeof openOperators>;

/** What the routes of the API for operators share with the pages of the console. */
export function openOperators(dependencies: AdminDependencies) {
  const { clock, database } = dependencies;
  const tokens = openOperatorTokens(dependencies);
  const sessions = openSessions(database, tokens, clock);
  const audit = openAudit(database, tokens);
  return { ...dependencies, audit, sessions, tokens, identify: identifyOperator(tokens, sessions) };
}
