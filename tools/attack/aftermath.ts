import { createHash } from 'node:crypto';
import { waitUntil } from '../rehearse/wait-until.js';
import { type Environment, waitUntilReady } from './environment.js';
import { ask } from './requests.js';

/** The responses before the attacks. They must be the same after each attack. */
export type KnownAnswers = ReadonlyMap<string, string>;

const PATHS = [
  '/health/live',
  '/v2/rates',
  '/v2/rates?base=USD&quotes=GBP,JPY',
  '/v2/rates?date=2026-02-10',
  '/v2/rates?from=2026-01-01&to=2026-02-01',
  '/v2/rates?from=2025-06-01&group=month&base=CHF',
  '/v2/rates.csv?from=2026-02-01&group=week',
  '/v2/rates.ndjson?date=2026-02-10&base=JPY',
  '/v2/rates?providers=ECB&base=EUR',
  '/v2/rates?expand=providers&quotes=USD',
  '/v2/rates?from=2026-01-05&to=2026-01-20&expand=providers&quotes=USD,CAD',
  '/v2/rates?providers=ECB,NBP,CNB&from=2026-01-01&to=2026-02-01',
  '/v2/rate/EUR/USD',
  '/v2/currencies',
  '/v2/currency/EUR',
  '/no-such-path',
  '/v2/rates?quotes=NOT',
  '/weather/search?q=Bern',
  '/translate/text?text=hello&to=it',
];

const RECOVERY_MS = 60_000;
const IDLE_MS = 5_000;

export async function readAnswers({ url }: Environment): Promise<KnownAnswers> {
  const answers = new Map<string, string>();
  for (const path of PATHS) {
    const { status, body } = await ask(url, path);
    answers.set(path, `${status} ${createHash('sha256').update(body).digest('base64url')}`);
  }
  return answers;
}

/** Describes what has changed. Gives the service time to become ready, and circuits time to close. */
export async function checkAftermath(
  environment: Environment,
  known: KnownAnswers,
  signal: AbortSignal,
): Promise<string[]> {
  const faults: string[] = [];
  let different: string[] = [];
  const areSame = async () => {
    const now = await readAnswers(environment).catch(() => new Map<string, string>());
    different = [...known].filter(([path, answer]) => now.get(path) !== answer).map(([path]) => path);
    return different.length === 0;
  };
  // Whether no session has been idle in a transaction for a second.
  const isNoneIdle = async () => {
    const idle = await environment.query(
      `select 1 from pg_stat_activity
       where state like 'idle in transaction%' and state_change < now() - interval '1 second'`,
    );
    return idle.length === 0;
  };
  const note = (error: Error) => {
    signal.throwIfAborted();
    faults.push(`afterwards, ${error.message}`);
  };
  await waitUntilReady(environment.url, RECOVERY_MS, signal).catch(note);
  const waiting = { everyMs: 500, signal };
  await waitUntil('the same answers', areSame, { limitMs: RECOVERY_MS, ...waiting }).catch(note);
  if (different.length > 0) faults.push(`other responses than before: ${different.join(', ')}`);
  await waitUntil('no idle transactions', isNoneIdle, { limitMs: IDLE_MS, ...waiting }).catch(note);
  return faults;
}

export async function countRates({ query }: Environment): Promise<number> {
  const [row] = await query<{ rates: number }>('select count(*)::int as rates from rates');
  return row?.rates ?? 0;
}
