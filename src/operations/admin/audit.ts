import * as z from 'zod';
import type { Database } from '../../../core/database/database.js';
import { DECIDING, type Proposal } from '../../../core/database/decisions.js';
import {
  type ActFilter,
  type OperatorAct,
  readOperatorActs,
  recordDecision,
  recordOperatorAct,
} from '../../../core/database/operators.js';
import type { RequestContext } from '../../http/route.js';
import { bearerOf, type OperatorTokens } from './token.js';

export const actSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    operator: z
      .string()
      .meta({ description: 'token, previous token, or session with the first characters of its id' }),
    client: z.string().meta({ description: 'The address of the client' }),
    act: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'OperatorAct' });

export type ShownAct = z.output<typeof actSchema>;

export type RecordedAct = ShownAct & { isPending: boolean; job: string | null };

export const exampleAct: ShownAct = {
  id: '17',
  at: '2026-03-18T15:02:11.020Z',
  operator: 'token',
  client: '192.0.2.7',
  act: 'ingest',
  details: { provider: 'ECB', from: '2026-03-01' },
};

/** What operators do, as a page says it afterwards. Each is recorded before it is carried out. */
export const DONE = {
  ingest: 'Requested a read',
  rebuild: 'Requested a rebuild of all blended rates',
  'retry job': 'Retried a job',
  [DECIDING.accepted]: 'Accepted a suspect rate',
  [DECIDING.rejected]: 'Rejected a suspect rate',
  [DECIDING.held]: 'Took back a decision on a suspect rate',
  publish: 'Requested a publication',
  'back up': 'Requested a backup',
  'log in': 'Logged in',
  'log out': 'Logged out',
  'set token by link': 'Set the token by a login link',
  'end all sessions': 'Ended all sessions',
};
type ActName = keyof typeof DONE;

export type By = Pick<RequestContext, 'client' | 'headers'> & { session?: string | undefined };

const SHOWN_OF_SESSION = 8;

export function openAudit(database: Database, tokens: Pick<OperatorTokens, 'find'>) {
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
    /** Newest first. */
    async read(filter: ActFilter): Promise<RecordedAct[]> {
      const acts = await readOperatorActs(database, filter);
      return acts.map(({ at, ...act }) => ({ ...act, at: at.toISOString() }));
    },
  };
}
