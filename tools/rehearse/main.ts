import { setTimeout as delay } from 'node:timers/promises';
import { stopSignal } from '../stop-signal.js';
import { checkConsistency } from './consistency.js';
import { type Cleanups, type Environment, keepLogs, startEnvironment } from './environment.js';
import { type Load, startLoad } from './load.js';
import { openOperator } from './operator.js';
import {
  firstRates,
  loadRequests,
  type ScenarioContext,
  scenarios,
  seconds,
  withPostgres,
} from './scenarios.js';
import { waitUntil } from './wait-until.js';

/** Requests a second to each API. */
const PER_SECOND = 60;
const LIMIT_MS = 280_000;
/** How many failed requests are reported one by one. */
const FAILURES_SHOWN = 10;

export const usage = `rehearse

Two APIs and two workers on a real Redis and PostgreSQL under load, while workers are killed and servers restarted:
requests failed, rows lost or doubled, time until corrections show. Needs redis-server.
`;

/** Runs all scenarios. Exit code: 0 if every check passed, 1 if one failed, 130 if it was stopped. */
export async function run(): Promise<number> {
  const signal = stopSignal(LIMIT_MS);
  const cleanups: Cleanups = [];
  const faults: string[] = [];
  let environment: Environment | undefined;
  try {
    const started = performance.now();
    print('starting two APIs and two workers on an empty PostgreSQL and Redis');
    environment = await startEnvironment(cleanups);
    print(`all four are up after ${seconds(performance.now() - started)}`);
    await runScenarios(environment, faults, signal, cleanups);
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (!(cause instanceof Error && cause.name === 'AbortError')) faults.push(String(cause));
  } finally {
    if (environment && faults.length > 0) print(`the programs' logs are in ${await keepLogs(environment)}`);
    for (const cleanUp of cleanups.reverse()) {
      await cleanUp().catch((error: unknown) => faults.push(`cleaning up: ${String(error)}`));
    }
  }
  for (const fault of faults) print(`FAILED: ${fault}`);
  if (signal.aborted && faults.length === 0) {
    print('stopped; everything was cleaned up');
    return 130;
  }
  print(faults.length === 0 ? 'every check passed' : `${faults.length} failed`);
  return faults.length === 0 ? 0 : 1;
}

async function runScenarios(
  environment: Environment,
  faults: string[],
  signal: AbortSignal,
  cleanups: Cleanups,
): Promise<void> {
  const operator = openOperator(
    environment.apis.map(({ url }) => url),
    environment.adminToken,
    signal,
  );
  const context: ScenarioContext = { environment, operator, signal, fail: (what) => faults.push(what) };
  print(await firstRates(context));
  const load = openLoad(environment, faults);
  cleanups.push(() => {
    environment.network.resume(); // Requests in flight could not finish otherwise.
    return load.stop();
  });
  await delay(2_000, undefined, { signal });
  load.lap();
  for (const scenario of scenarios) {
    print(`${scenario.name} …`);
    const outcome = await scenario.run(context);
    const { sent, failed, unavailable, slowest } = load.lap();
    print(`  ${outcome}`);
    if (unavailable > 0 && !scenario.databaseDown) {
      faults.push(`${unavailable} requests got 503 while PostgreSQL was up`);
    }
    const refused = unavailable > 0 ? `, ${unavailable} got 503` : '';
    print(
      `  ${sent} requests meanwhile, ${failed} failed${refused}, the slowest took ${Math.round(slowest)} ms`,
    );
  }
  await load.stop();
  const { sent, failed, unavailable } = load.total();
  await checkRebuild(context);
  const consistency = await withPostgres(environment, (client) =>
    checkConsistency(client, Object.values(environment.banks)),
  );
  print(`requests sent ${sent}, failed ${failed}`);
  if (unavailable > 0) {
    print(`  ${unavailable} of them, which read PostgreSQL, got 503 while it was down`);
  }
  print(`rows lost ${consistency.lost}, doubled ${consistency.doubled}, wrong ${consistency.wrong}`);
  if (failed > 0) faults.push(`${failed} requests failed`);
  for (const [what, count] of Object.entries(consistency)) if (count > 0) faults.push(`${what}: ${count}`);
  for (const [name, code] of await environment.stopPrograms()) {
    if (code !== 0) faults.push(`${name} exited with code ${code} when it was stopped`);
  }
}

function openLoad(environment: Environment, faults: string[]): Load {
  const days = [...environment.banks.small.rows.values()].map(({ date }) => date);
  let shown = 0;
  return startLoad({
    urls: environment.apis.map(({ url }) => url),
    requests: loadRequests(days[Math.floor(days.length / 2)] ?? ''),
    perSecond: PER_SECOND,
    onFailure: (what) => {
      if (shown++ < FAILURES_SHOWN) faults.push(what);
    },
  });
}

/** Checks that blending all history at once gives what was blended step by step. */
async function checkRebuild({ operator, signal, fail }: ScenarioContext): Promise<void> {
  const id = await operator.rebuild();
  const { found, ms } = await waitUntil(
    'the blend of all history',
    async () => {
      const job = await operator.job(id);
      return job && ['completed', 'failed'].includes(job.state) ? job : undefined;
    },
    { limitMs: 60_000, everyMs: 200, signal },
  );
  if (found.state === 'failed') fail(`the blend of all history failed: ${found.error}`);
  else if (found.outcome?.version !== null) fail('the blend of all history changed blended rates');
  else print(`the blend of all history changed nothing (${seconds(ms)})`);
}

function print(line: string): void {
  const at = process.uptime().toFixed(1).padStart(6);
  process.stdout.write(`${at} s  ${line}\n`);
}
