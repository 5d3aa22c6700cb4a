import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { LOCKS } from '../../core/database/locks.js';
import { windowOf } from './banks.js';
import { countOf } from './consistency.js';
import { correct, ingestCorrection, publishCorrection, untilServed } from './corrections.js';
import { type Step, seconds } from './drill.js';
import { type Environment, withPostgres } from './environment.js';
import { waitUntil } from './wait-until.js';

/** Another worker takes over a killed one's job within twice the duration of a job's lock, and some margin. */
const TAKEOVER_MS = 70_000;
const STORING_MS = 30_000;
const STALL_MS = 8_000;

/**
 * What is done under load, beside what rehearse-compose does. Each ends with a correction, which shows that everything works
 * again.
 */
export function stepsOf(environment: Environment): Step[] {
  const { banks, operator, place, redisUrl, network, signal } = environment;
  return [
    {
      name: 'a worker is killed in the middle of storing',
      run: () => killWorker(environment),
    },
    {
      name: 'Redis is flushed with jobs in it',
      async run() {
        const correction = await publishCorrection(place, 80);
        const { date } = correction.row;
        await operator.ingest(banks.small.key, { from: date, to: date });
        const client = new Redis(redisUrl);
        await client.flushall().finally(() => client.disconnect());
        const what = 'a correction requested just before, and again after,';
        return ingestCorrection(place, correction, what);
      },
    },
    {
      name: `the network stalls for ${seconds(STALL_MS)}`,
      mayRefuse: true,
      async run() {
        const correction = await publishCorrection(place, 350);
        const { date } = correction.row;
        // Requested again below.
        const requested = operator.ingest(banks.small.key, { from: date, to: date }).catch(() => undefined);
        network.stall();
        await delay(STALL_MS, undefined, { signal }).finally(network.resume);
        await requested;
        return ingestCorrection(place, correction, 'a correction requested as it began');
      },
    },
  ];
}

async function killWorker(environment: Environment): Promise<string> {
  const { banks, operator, workers, signal } = environment;
  const { key, rows } = banks.big;
  const stored = () => withPostgres(environment, (client) => countOf(client, 'rates', key));
  await operator.ingest(key, windowOf(rows.values()));
  const name = await storingWorker(environment);
  const worker = workers.find((one) => one.name === name);
  if (!worker) throw new Error(`${name} stores rates, and is not a worker`);
  await delay(300, undefined, { signal }); // By now some rows are written and none is committed.
  await worker.kill();
  const left = await stored();
  if (left === rows.size) throw new Error('the worker had finished before it could be killed');
  if (left > 0) throw new Error(`${left} rows of a killed ingest are stored`);
  await environment.addWorker(); // As a process manager would.
  const meanwhile = await correct(environment.place, 40);
  const { ms } = await waitUntil(
    'taking over from a killed worker',
    async () => (await stored()) === rows.size,
    { limitMs: TAKEOVER_MS, everyMs: 250, signal },
  );
  const [oldest] = rows.values();
  const served = oldest && (await untilServed(environment.place, oldest));
  return `${name} was killed and left nothing half stored; meanwhile ${meanwhile}; another stored all ${rows.size} rows ${seconds(ms)} later, and both APIs had that history after ${served}`;
}

/** The name of the worker whose transaction is changing rates. */
async function storingWorker(environment: Environment): Promise<string> {
  const { found } = await waitUntil(
    'a worker in the middle of storing',
    () =>
      withPostgres(environment, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select application_name as name from pg_locks join pg_stat_activity using (pid)
           where locktype = 'advisory' and granted and objid = $1 and classid = 0`,
          [LOCKS.data],
        );
        return rows[0]?.name;
      }),
    { limitMs: STORING_MS, everyMs: 10, signal: environment.signal },
  );
  return found;
}
