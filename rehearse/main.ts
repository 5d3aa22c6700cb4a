import { setTimeout as delay } from 'node:timers/promises';
import { compare } from './consistency.js';
import { type Closings, keepLogs, openStage, type Stage } from './environment.js';
import { type Load, startLoad } from './load.js';
import { openOperator } from './operator.js';
import { until } from './patience.js';
import { acts, firstRates, onPostgres, questions, type Scene, seconds } from './scenarios.js';

/** Requests a second to each API. */
const PER_SECOND = 60;
const LIMIT_MS = 280_000;
const FAILURES_TOLD = 10;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
// Whatever goes wrong, the servers and programs are stopped before this ends.
for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
  process.on(event, (error: unknown) => stopping.abort(error));
}
setTimeout(() => stopping.abort(new Error('the rehearsal takes too long')), LIMIT_MS).unref();

/** Plays it all. Exit code: 0 where every promise was kept, 1 where one was broken, 130 where it was stopped. */
async function rehearse(signal: AbortSignal): Promise<number> {
  const closings: Closings = [];
  const faults: string[] = [];
  let stage: Stage | undefined;
  try {
    const began = performance.now();
    tell('two APIs and two workers start on an empty PostgreSQL and Redis');
    stage = await openStage(closings);
    tell(`all four are up after ${seconds(performance.now() - began)}`);
    await play(stage, faults, signal, closings);
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error;
    if (!(cause instanceof Error && cause.name === 'AbortError')) faults.push(String(cause));
  } finally {
    if (stage && faults.length > 0) tell(`logs of the programs are kept in ${await keepLogs(stage)}`);
    for (const close of closings.reverse()) {
      await close().catch((error: unknown) => faults.push(`cleaning up: ${String(error)}`));
    }
  }
  for (const fault of faults) tell(`BROKEN: ${fault}`);
  if (signal.aborted && faults.length === 0) {
    tell('stopped; nothing is left behind');
    return 130;
  }
  tell(faults.length === 0 ? 'every promise was kept' : `${faults.length} broken`);
  return faults.length === 0 ? 0 : 1;
}

async function play(stage: Stage, faults: string[], signal: AbortSignal, closings: Closings): Promise<void> {
  const operator = openOperator(
    stage.apis.map(({ url }) => url),
    stage.adminToken,
    signal,
  );
  const scene: Scene = { stage, operator, signal, broken: (what) => faults.push(what) };
  tell(await firstRates(scene));
  const load = openLoad(stage, faults);
  closings.push(() => {
    stage.network.resume(); // Else the requests under way would be waited for in vain.
    return load.stop();
  });
  await delay(2_000, undefined, { signal });
  load.lap();
  for (const act of acts) {
    tell(`${act.name} …`);
    const what = await act.play(scene);
    const { sent, failed, putOff, slowest } = load.lap();
    tell(`  ${what}`);
    if (putOff > 0 && !act.storeAway) faults.push(`${putOff} requests put off though PostgreSQL was there`);
    const later = putOff > 0 ? `, ${putOff} put off (503)` : '';
    tell(
      `  ${sent} requests meanwhile, ${failed} failed${later}, the slowest took ${Math.round(slowest)} ms`,
    );
  }
  await load.stop();
  const { sent, failed, putOff } = load.total();
  await settle(scene);
  const accounts = await onPostgres(stage, (client) => compare(client, Object.values(stage.banks)));
  tell(`requests sent ${sent}, failed ${failed}`);
  if (putOff > 0) {
    tell(`  ${putOff} of them, for one provider or with sources, put off (503) while PostgreSQL was away`);
  }
  tell(`rows lost ${accounts.lost}, doubled ${accounts.doubled}, wrong ${accounts.wrong}`);
  if (failed > 0) faults.push(`${failed} requests failed`);
  for (const [what, count] of Object.entries(accounts)) if (count > 0) faults.push(`${what}: ${count}`);
  for (const [name, code] of await stage.stopPrograms()) {
    if (code !== 0) faults.push(`${name} ended with code ${code} when it was asked to end`);
  }
}

function openLoad(stage: Stage, faults: string[]): Load {
  const days = [...stage.banks.small.rows.values()].map(({ date }) => date);
  let told = 0;
  return startLoad({
    urls: stage.apis.map(({ url }) => url),
    questions: questions(days[Math.floor(days.length / 2)] ?? ''),
    perSecond: PER_SECOND,
    onFailure: (what) => {
      if (told++ < FAILURES_TOLD) faults.push(what);
    },
  });
}

/** What was blended step by step must be what blending everything at once gives. */
async function settle({ operator, signal, broken }: Scene): Promise<void> {
  const id = await operator.rebuild();
  const { found, ms } = await until(
    'blending everything again',
    async () => {
      const job = await operator.job(id);
      return job && ['completed', 'failed'].includes(job.state) ? job : undefined;
    },
    { limitMs: 60_000, everyMs: 200, signal },
  );
  if (found.state === 'failed') broken(`blending everything again failed: ${found.error}`);
  else if (found.outcome?.version !== null) broken('blending everything again changed what was blended');
  else tell(`blending everything again changed nothing (${seconds(ms)})`);
}

function tell(line: string): void {
  const at = process.uptime().toFixed(1).padStart(6);
  process.stdout.write(`${at} s  ${line}\n`);
}

process.exit(await rehearse(stopping.signal));
