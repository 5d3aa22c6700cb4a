import type { Logger } from 'pino';
import * as z from 'zod';
import type { Database } from '../../../core/database/database.js';
import type { Proposal } from '../../../core/database/decisions.js';
import { type OperatorAct, recordDecision, recordOperatorAct } from '../../../core/database/operators.js';
import type { WorkerTask } from '../../../core/database/worker-tasks.js';
import type { Clock } from '../../../core/domain/dates.js';
import type { Config } from '../../../core/process/config.js';
import type { RedisLink } from '../../http/limits.js';
import type { RequestContext } from '../../http/route.js';
import type { QueueAccess } from '../queue-access.js';
import { identifyOperator, openSessions } from './guard.js';
import { bearerOf, type OperatorTokens, openOperatorTokens } from './token.js';

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

export const actSchema = z
  .object({
    id: z.string().meta({ example: '17' }),
    at: z.date().meta({ format: 'date-time', example: '2026-03-18T15:02:11.020Z' }),
    operator: z.string().meta({
      description: 'token, previous token, or session with the first characters of its id',
      example: 'token',
    }),
    client: z.string().meta({ description: 'The address of the client', example: '192.0.2.7' }),
    act: z.string().meta({ example: 'ingest' }),
    details: z.record(z.string(), z.unknown()).meta({ example: { provider: 'ECB', from: '2026-03-01' } }),
  })
  .meta({ id: 'OperatorAct' });

/** The names of acts in the log, besides those of decisions. Each act is recorded before it is carried out. */
type ActName =
  | WorkerTask
  | 'ingest'
  | 'rebuild'
  | 'retry job'
  | 'log in'
  | 'log out'
  | 'set token by link'
  | 'end all sessions';

export type By = Pick<RequestContext, 'client' | 'headers'> & { session?: string | undefined };

/** How many characters of a session's ID the audit log shows. */
export const SHOWN_OF_SESSION = 8;

function openAudit(database: Database, tokens: Pick<OperatorTokens, 'find'>) {
  const named = async ({ client, headers, session }: By) => {
    if (session !== undefined) return { operator: `session ${session.slice(0, SHOWN_OF_SESSION)}`, client };
    const token = await tokens.find(bearerOf(headers) ?? '');
    if (!token) throw new Error('an act of nobody');
    return { operator: token.name, client };
  };
  return {
    /** Records an act before it is carried out; if that fails, it must not be. Returns the ID of the act. */
    async record(by: By, act: ActName, details: OperatorAct['details'] = {}) {
      return recordOperatorAct(database, { ...(await named(by)), act, details });
    },
    async recordDecision(by: By, proposal: Proposal) {
      return recordDecision(database, proposal, await named(by));
    },
  };
}
