import { quantile } from '../bench/support/statistics.js';
import type { Bar } from './attack.js';
import type { Lap } from './monitor-process.js';

const MEBIBYTE = 1024 * 1024;
const MOST_GROWTH_MB = 150;
/** How much of that may be left some time after. What the collector keeps for the next peak differs from run to run. */
export const MOST_LEFT_MB = 100;
// What other programs and the attacker need of the machine is not the attack. So of a bare server that is not attacked the
// same is measured at the same time: times count beyond its slowest, and speed relative to its speed. And where the API
// waits for a processor, times count only as long as they would have been had it not waited.
const LIVE_MS = 500;
const HOT_SHARE = 0.5;
const RAW_MS = 3_000;
/** By how much one client may delay short responses of another: of twenty, nineteen. */
const CHEAP_DELAY_MS = 20;
const CHEAP_SHARE = 0.95;
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
  answered: number;
  refused: number;
  failed: number;
  /** The slowest request for raw rows, and the median of those that were answered. */
  rawMs: number;
  typicalRawMs: number;
  /** How many times as long requests for raw rows took as before. */
  rawRatio: number;
  cheapDelayMs: number;
}

/** Compares a lap with the quiet one before it, and with the memory in megabytes that is left of its growth. */
export function measure(quiet: Lap, lap: Lap, leftMb: number): Measured {
  const { taken, failed, memory } = lap;
  const cheapMs = quantile(taken.cheap, CHEAP_SHARE) - quantile(quiet.taken.cheap, CHEAP_SHARE);
  return {
    growthMb: Math.max(0, memory.most - quiet.memory.after) / MEBIBYTE,
    leftMb: Math.max(0, leftMb),
    liveMs: Math.max(0, ...taken.live),
    bareMs: Math.max(0, ...taken.bare),
    hotPercent: (100 * speedOf(lap)) / speedOf(quiet) || 0,
    waitedPercent: 100 * waitedShare(lap),
    answered: taken.raw.length - failed.raw.length,
    refused: taken.refused.length,
    failed: failed.raw.length,
    rawMs: Math.max(0, ...taken.raw, ...taken.refused),
    typicalRawMs: quantile(taken.raw, 0.5),
    rawRatio: quantile(taken.raw, 0.5) / quantile(quiet.taken.raw, 0.5) || 0,
    cheapDelayMs: Math.max(0, cheapMs) * (1 - waitedShare(lap)),
  };
}

/** Whether the machine is too busy, without the attack, to tell anything by times. */
export function isBusy(quiet: Lap): boolean {
  return waitedShare(quiet) > MOST_WAITING || !(speedOf(quiet) > 0);
}

function waitedShare({ processor: { ranMs, waitedMs } }: Lap): number {
  return ranMs > 0 ? waitedMs / (ranMs + waitedMs) : 0;
}

/** The speed of bursts of cached responses as a share of the bare server's. */
function speedOf({ taken }: Lap): number {
  return taken.hot.length > 0 ? quantile(taken.bareHot, 0.5) / quantile(taken.hot, 0.5) : 0;
}

/** The bars that did not hold, each in words. */
export function brokenBars(quiet: Lap, lap: Lap, leftMb: number, spared: readonly Bar[] = []): string[] {
  const { growthMb } = measure(quiet, lap, leftMb);
  const [failure] = lap.failed.raw;
  const broken: [isBroken: boolean, Bar, string][] = [
    ...(isBusy(quiet) ? [] : judgeTimes(quiet, lap)),
    [growthMb > MOST_GROWTH_MB, 'memory', `memory grew by ${growthMb.toFixed(0)} MB`],
    [leftMb > MOST_LEFT_MB, 'memory', `${leftMb.toFixed(0)} MB of memory did not come back`],
    [lap.failed.hot > 0, 'hot', `${lap.failed.hot} cached answers failed`],
    [failure !== undefined, 'raw', failure ?? ''],
  ];
  return broken.filter(([isBroken, bar]) => isBroken && !spared.includes(bar)).map(([, , words]) => words);
}

function judgeTimes(quiet: Lap, lap: Lap): [isBroken: boolean, Bar, string][] {
  const { liveMs, bareMs, hotPercent, cheapDelayMs, rawMs, typicalRawMs, rawRatio } = measure(quiet, lap, 0);
  const unhindered = (ms: number) => (ms - bareMs) * (1 - waitedShare(lap));
  const possible = Math.min(1, (1 - waitedShare(lap)) / (1 - waitedShare(quiet)));
  const mostTypicalMs = CLIENTS * measure(quiet, quiet, 0).typicalRawMs + STEP_MS;
  return [
    [unhindered(liveMs) > LIVE_MS, 'live', `/health/live took ${liveMs.toFixed(0)} ms`],
    [
      hotPercent < 100 * HOT_SHARE * possible,
      'hot',
      `cached answers had ${hotPercent.toFixed(0)} % of their speed`,
    ],
    [unhindered(rawMs) > RAW_MS, 'raw', `a question for raw rows took ${(rawMs / 1000).toFixed(1)} s`],
    [cheapDelayMs >= CHEAP_DELAY_MS, 'share', `short responses took ${cheapDelayMs.toFixed(0)} ms longer`],
    [
      unhindered(typicalRawMs) > mostTypicalMs,
      'share',
      `questions for raw rows took ${rawRatio.toFixed(1)} times as long`,
    ],
  ];
}
