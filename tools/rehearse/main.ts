import { print, type Trial } from '../programs/trial.js';
import { windowOf } from './banks.js';
import { findInconsistencies } from './consistency.js';
import { pesoOf, untilServed } from './corrections.js';
import { type Drill, runDrill, step } from './drill.js';
import { type Environment, startEnvironment, withPostgres } from './environment.js';
import { stepsOf } from './steps.js';

const PER_SECOND = 60;
const LIMIT_MS = 280_000;
/** For these an API reads PostgreSQL once the data have changed. */
const READING_DATABASE = ['/v2/rates?providers=BOC&base=CAD', '/v2/rates?expand=providers&quotes=EUR,GBP'];

export const usage = `rehearse

Two APIs and two workers on a real Redis and PostgreSQL under load, while a worker is killed, Redis is flushed and the
network stalls: requests failed, rows lost or doubled, time until corrections show. Needs redis-server.
`;

/** Exit code: 0 if every check passed, 1 if one failed, 130 if it was stopped. */
export function run(): Promise<number> {
  return runDrill(LIMIT_MS, begin);
}

async function begin(trial: Trial): Promise<Drill> {
  print('starting two APIs and two workers on an empty PostgreSQL and Redis');
  const environment = await startEnvironment(trial);
  await step('the first rates', () => firstRates(environment));
  const day = pesoOf(environment.banks.small, 260).date;
  return {
    load: {
      urls: environment.apis.map(({ url }) => url),
      paths: [
        '/v2/rates',
        '/v2/rates?base=EUR&quotes=USD,GBP,JPY',
        `/v2/rates?date=${day}`,
        `/v2/rates?from=${day}&quotes=USD,MXN&base=CAD`,
        '/v2/rate/EUR/USD',
        '/v2/rates?from=2024-01-01&group=month&quotes=EUR,JPY',
        '/v2/currencies',
        '/v2/currency/EUR',
        '/v2/providers',
        ...READING_DATABASE,
      ],
      readingDatabase: READING_DATABASE,
      perSecond: PER_SECOND,
    },
    steps: stepsOf(environment),
    finish: () => finish(environment, trial),
  };
}

async function firstRates(environment: Environment): Promise<string> {
  const { banks, operator, place } = environment;
  const { key, rows } = banks.small;
  await operator.ingest(key, windowOf(rows.values()));
  return `${rows.size} rows stored, and served after ${await untilServed(place, pesoOf(banks.small, 0))}`;
}

async function finish(environment: Environment, { fail }: Trial): Promise<void> {
  await step('every stored row', async () => {
    const banks = Object.values(environment.banks);
    const wrong = await withPostgres(environment, (client) => findInconsistencies(client, banks));
    for (const one of wrong) fail(one);
    return `${wrong.length} kinds of differences from what the banks published`;
  });
  for (const [name, code] of await environment.stopPrograms()) {
    if (code !== 0) fail(`${name} exited with code ${code} when it was stopped`);
  }
}
