import { quantile } from '../bench/support/statistics.js';
import type { Bar } from './attack.js';
import type { Lap } from './monitor-process.js';

const MEBIBYTE = 1024 * 1024;
const MOST_GROWTH_MB = 150;
/** How much of that growth may remain afterwards. What the garbage collector keeps for the next peak varies. */
export const MOST_LEFT_MB = 100;
// Load by other programs and the attacker itself must not count. A bare server that is not attacked is measured at the same
// time: only the time beyond its slowest response counts, and speed is relative to its speed. Time for which the API waited
// for a processor is deducted.
const LIVE_MS = 500;
const HOT_SHARE = 0.5;
const RAW_MS = 3_000;
/** How much one client may delay short responses to another, at the 95th percentile. */
const CHEAP_DELAY_MS = 20;
const CHEAP_SHARE = 0.95;
/** Two clients share the threads: each response may take twice as long, and waits for a step in progress. */
const CLIENTS = 2;
const STEP_MS = 100;
/** If the API waits longer for a processor than it runs even without an attack, times are meaningless. */
const MOST_WAITING = 0.5;

/** What the second client measured, in the units of the table. */
export interface Measured {
  growthMb: number;
  leftMb: number;
  liveMs: number;
  bareMs: number;
  hotPercent: number;
  /** The share of time in which the API's main thread was runnable but had no processor. */
  waitedPercent: number;
  answered: number;
  refused: number;
  failed: number;
  /** The slowest request for raw rows, and the median of those that were answered. */
  rawMs: number;
  typicalRawMs: number;
  /** The time of requests for raw rows, relative to the time before the attack. */
  rawRatio: number;
  cheapDelayMs: number;
}

/** Compares a lap with the quiet one before it. `leftMb` is the memory growth that remains, in megabytes. */
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

/** Whether the machine is too busy, even without the attack, to judge times. */
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

/** Describes each bar that was missed. */
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
    [unhindered(rawMs) > RAW_MS, 'raw', `a request for raw rows took ${(rawMs / 1000).toFixed(1)} s`],
    [cheapDelayMs >= CHEAP_DELAY_MS, 'share', `short responses took ${cheapDelayMs.toFixed(0)} ms longer`],
    [
      unhindered(typicalRawMs) > mostTypicalMs,
      'share',
      `requests for raw rows took ${rawRatio.toFixed(1)} times as long`,
    ],
  ];
}
