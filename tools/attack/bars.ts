import type { Bar } from './attack.js';
import type { Lap } from './monitor-process.js';

const MEBIBYTE = 1024 * 1024;
/** How much memory the API may take more than before. */
const MOST_GROWTH = 150 * MEBIBYTE;
/** How much of that may be left some time after. What the collector keeps for the next peak differs from run to run. */
export const MOST_LEFT = 100 * MEBIBYTE;
// What other programs and the attacker need of the machine is not the attack. So of a bare server that is not attacked the
// same is measured at the same time: times count beyond its slowest, and speed relative to its speed. And where the API
// waits for a processor, times count only as long as they would have been had it not waited.
const LIVE_MS = 500;
const HOT_SHARE = 0.5;
const RAW_MS = 3_000;
/** By how much one client may delay short responses of another. */
const CHEAP_DELAY_MS = 20;
/** Two clients share the threads: the responses of each take twice as long, and wait for a step that has begun. */
const CLIENTS = 2;
const STEP_MS = 100;

/** Where the API waits longer for a processor than it runs, although nobody attacks it, times mean nothing. */
const MOST_WAITING = 0.5;

/** What the other client saw, in the units of the table. */
export interface Measured {
  growthMb: number;
  leftMb: number;
  liveMs: number;
  bareMs: number;
  hotPercent: number;
  /** Of the time for which the API's main thread wanted a processor, how much it had none. */
  waitedPercent: number;
  raw: string;
  cheapDelayMs: number;
  /** How many times as long questions for raw rows took as before. */
  rawRatio: number;
}

export function measure(quiet: Lap, lap: Lap, left: number): Measured {
  const { answered, refused, failed, slowest } = lap.raw;
  const unanswered = failed.length > 0 ? `, ${failed.length} failed` : '';
  return {
    growthMb: Math.max(0, lap.memory.most - quiet.memory.after) / MEBIBYTE,
    leftMb: Math.max(0, left) / MEBIBYTE,
    liveMs: lap.slowestLive,
    bareMs: lap.bare.slowestMs,
    hotPercent: (100 * speedOf(lap)) / speedOf(quiet) || 0,
    waitedPercent: 100 * waitedShare(lap),
    raw: `${answered} / ${refused}${unanswered}, ${(slowest / 1000).toFixed(1)} s`,
    cheapDelayMs: Math.max(0, lap.cheapMs - quiet.cheapMs) * (1 - waitedShare(lap)),
    rawRatio: lap.raw.typical / quiet.raw.typical || 0,
  };
}

/** Whether the machine is too busy, without the attack, to tell anything by times. */
export function isBusy({ processor, hot, bare }: Lap): boolean {
  return waitedShare({ processor }) > MOST_WAITING || hot.perSecond === 0 || bare.perSecond === 0;
}

function waitedShare({ processor: { ranMs, waitedMs } }: Pick<Lap, 'processor'>): number {
  return ranMs > 0 ? waitedMs / (ranMs + waitedMs) : 0;
}

/** The speed of cached answers as a share of the bare server's. */
function speedOf({ hot, bare }: Lap): number {
  return bare.perSecond > 0 ? hot.perSecond / bare.perSecond : 0;
}

/** The bars that did not hold, each in words. `left` is what is left of the growth, in bytes. */
export function brokenBars(quiet: Lap, lap: Lap, left: number, spared: readonly Bar[] = []): string[] {
  const { growthMb, leftMb } = measure(quiet, lap, left);
  const broken: [Bar, string][] = isBusy(quiet) ? [] : brokenByTime(quiet, lap);
  if (growthMb * MEBIBYTE > MOST_GROWTH) broken.push(['memory', `memory grew by ${growthMb.toFixed(0)} MB`]);
  if (left > MOST_LEFT) broken.push(['memory', `${leftMb.toFixed(0)} MB of memory did not come back`]);
  if (lap.hot.failed > 0) broken.push(['hot', `${lap.hot.failed} cached answers failed`]);
  for (const failure of lap.raw.failed.slice(0, 1)) broken.push(['raw', failure]);
  return broken.filter(([bar]) => !spared.includes(bar)).map(([, words]) => words);
}

function brokenByTime(quiet: Lap, lap: Lap): [Bar, string][] {
  const { liveMs, bareMs, hotPercent, cheapDelayMs, rawRatio } = measure(quiet, lap, 0);
  const broken: [Bar, string][] = [];
  const unhindered = (ms: number) => (ms - bareMs) * (1 - waitedShare(lap));
  if (unhindered(liveMs) > LIVE_MS) broken.push(['live', `/health/live took ${liveMs.toFixed(0)} ms`]);
  const possible = Math.min(1, (1 - waitedShare(lap)) / (1 - waitedShare(quiet)));
  if (hotPercent < 100 * HOT_SHARE * possible) {
    broken.push(['hot', `cached answers had ${hotPercent.toFixed(0)} % of their speed`]);
  }
  const { slowest } = lap.raw;
  if (unhindered(slowest) > RAW_MS) {
    broken.push(['raw', `a question for raw rows took ${(slowest / 1000).toFixed(1)} s`]);
  }
  if (cheapDelayMs >= CHEAP_DELAY_MS) {
    broken.push(['share', `short responses took ${cheapDelayMs.toFixed(0)} ms longer`]);
  }
  if (unhindered(lap.raw.typical) > CLIENTS * quiet.raw.typical + STEP_MS) {
    broken.push(['share', `questions for raw rows took ${rawRatio.toFixed(1)} times as long`]);
  }
  return broken;
}
