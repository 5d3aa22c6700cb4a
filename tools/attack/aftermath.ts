import { createHash } from 'node:crypto';
import { waitUntil } from '../rehearse/wait-until.js';
import { type Environment, waitUntilReady } from './environment.js';
import { ask } from './requests.js';

/** What the service answered before the attacks: it has to answer the same after each. */
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

/** What is not as it was before, in words. Gives the service some time to be ready, and circuits to close. */
export async function checkAftermath(
  environment: Environment,
  known: KnownAnswers,
  signal: AbortSignal,
): Promise<string[]> {
  let different: string[] = [];
  const areSame = async () => {
    const now = await readAnswers(environment).catch(() => new Map<string, string>());
    different = [...known].filter(([path, answer]) => now.get(path) !== answer).map(([path]) => path);
    return different.length === 0;
  };
  const passes = (check: () => Promise<boolean>, limitMs: number) =>
    waitUntil('a check', check, { limitMs, everyMs: 500, signal }).then(
      () => true,
      () => false,
    );
  const isReady = await waitUntilReady(environment.url, RECOVERY_MS, signal).then(
    () => true,
    () => false,
  );
  if (!isReady) return ['it was not ready afterwards'];
  const faults: string[] = [];
  if (!(await passes(areSame, RECOVERY_MS))) {
    faults.push(`answered otherwise than before: ${different.join(', ')}`);
  }
  if (!(await passes(() => hasNoneIdle(environment), IDLE_MS))) {
    faults.push('sessions are idle in a transaction');
  }
  signal.throwIfAborted();
  return faults;
}

/** Whether no session has been idle in a transaction for a second. */
async function hasNoneIdle({ query }: Environment): Promise<boolean> {
  const rows = await query(
    `select 1 from pg_stat_activity
     where state like 'idle in transaction%' and state_change < now() - interval '1 second'`,
  );
  return rows.length === 0;
}

export async function countRates({ query }: Environment): Promise<number> {
  const [row] = await query<{ rates: number }>('select count(*)::int as rates from rates');
  return row?.rates ?? 0;
}
