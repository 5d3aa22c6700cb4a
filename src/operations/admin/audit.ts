import { z } from 'zod';
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

export const exampleAct: ShownAct = {
  id: '17',
  at: '2026-03-18T15:02:11.020Z',
  operator: 'token',
  client: '192.0.2.7',
  act: 'ingest',
  details: { provider: 'ECB', from: '2026-03-01' },
};

/** What operators do. Each is recorded before it is carried out. */
export const ACTS = [
  'ingest',
  'rebuild',
  'retry job',
  ...Object.values(DECIDING),
  'publish',
  'back up',
  'log in',
  'log out',
  'set token by link',
  'end all sessions',
] as const;
type ActName = (typeof ACTS)[number];

export type By = Pick<RequestContext, 'client' | 'headers'> & { session?: string | undefined };

export type Audit = ReturnType<typeof openAudit>;

const SHOWN_OF_SESSION = 8;

export function openAudit(database: Database, tokens: Pick<OperatorTokens, 'find'>) {
  const named = async ({
    client,
    headers,
    session,
  }: By): Promise<Pick<OperatorAct, 'operator' | 'client'>> => {
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
    async read(filter: ActFilter): Promise<ShownAct[]> {
      const acts = await readOperatorActs(database, filter);
      return acts.map(({ at, ...act }) => ({ ...act, at: at.toISOString() }));
    },
  };
}
