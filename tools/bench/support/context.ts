import { currencies, lifetimeOf } from '../../../core/domain/currencies.js';
import { addDays, type CalendarDate, isWeekend, systemClock, today } from '../../../core/domain/dates.js';
import { startProgram } from '../../programs/programs.js';
import { print, type Trial } from '../../programs/trial.js';
import type { Databases } from './databases.js';
import type { Load, LoadResult } from './load.js';

/** How much data is measured, and for how long. */
export interface Effort {
  /** Years of synthetic raw rates; five are about 3.3 million rows. */
  years: number;
  /** Years of the long history of blended rates. */
  longYears: number;
  rounds: number;
  /** Milliseconds of measured load in a round, and of warm-up before it. */
  roundMs: number;
  warmMs: number;
  /** The number of different requests, in a measurement without caches. */
  different: number;
}

/** One measurement. */
export interface Row {
  what: string;
  measured: string;
  /** The target. */
  reach: string;
  /** Whether it reaches the target. */
  ok: boolean;
}

/** The input of a measurement. */
export interface Context {
  effort: Effort;
  databases: Databases;
  /** Runs clients in another process, by default for a round. */
  load(
    url: string,
    requests: readonly string[],
    options?: Partial<Pick<Load, 'status' | 'ms' | 'connections'>>,
  ): Promise<LoadResult>;
  /** The last day of the synthetic history. The days after it are left for new rates to be published. */
  until: CalendarDate;
  /** Prints progress on standard error. */
  progress(text: string): void;
  /** Adds a row to the table. */
  record(row: Row): void;
}

const DAYS_LEFT = 10;
const CONNECTIONS = 64;

export function startLoad({ warmMs, roundMs }: Effort, { cleanups }: Trial): Context['load'] {
  const child = startProgram('load', 'tools/bench/support/load.js');
  cleanups.push(() => child.stop());
  return async (url, requests, { status = 200, ms = roundMs, connections = CONNECTIONS } = {}) => {
    const port = Number(new URL(url).port);
    const message: Load = { type: 'load', port, connections, requests, status, warmMs, ms };
    const result = await child.request<LoadResult>(message, 'loaded');
    if (result.refused > 0) print(`${result.refused} requests were refused, and sent again`);
    return result;
  };
}

/** The last day of the synthetic history: a business day some ten days ago, before another one. */
export function lastDay(): CalendarDate {
  let last = addDays(today(systemClock), -DAYS_LEFT);
  while (isWeekend(last) || isWeekend(addDays(last, 1))) last = addDays(last, -1);
  return last;
}

/** Codes of at most 170 currencies that are in use today. */
export function currentCodes(): string[] {
  return [...currencies.keys()].filter((code) => lifetimeOf(code).until === undefined).slice(0, 170);
}
