import { systemClock, today } from '../../core/domain/clock.js';
import { currencies, lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, type CalendarDate, isWeekend } from '../../core/domain/dates.js';
import { type Child, startChild } from './children.js';
import type { Databases } from './databases.js';
import type { Load, LoadResult } from './load.js';
import type { Row } from './table.js';

/** How much is measured, and how long. */
export interface Effort {
  /** Years of made-up raw rates; five are some 3.3 million rows. */
  years: number;
  /** Years of the long history of blends. */
  longYears: number;
  /** Years of the growing histories. */
  growth: readonly number[];
  rounds: number;
  /** Milliseconds of load in a round, and before it. */
  roundMs: number;
  warmMs: number;
  connections: number;
}

/** What all measurements stand on. */
export interface Ground {
  effort: Effort;
  databases: Databases;
  /** The clients. */
  load(options: Omit<Load, 'type' | 'connections'>): Promise<LoadResult>;
  /** The last day of the made-up history: the days after it are there to be published. */
  until: CalendarDate;
  /** Says what is being done, on standard error. */
  say(text: string): void;
  /** Takes down what was measured. */
  note(row: Row): void;
}

const DAYS_LEFT = 10;

export function startLoad(effort: Effort): { child: Child; load: Ground['load'] } {
  const child = startChild(new URL('./load.js', import.meta.url));
  return {
    child,
    load: (options) =>
      child.ask<LoadResult>({ type: 'load', connections: effort.connections, ...options }, 'loaded'),
  };
}

/** The last day of the history that is made up today: a business day. */
export function lastDay(): CalendarDate {
  const last = addDays(today(systemClock), -DAYS_LEFT);
  return isWeekend(last) ? addDays(last, -2) : last;
}

/** Codes of some currencies that are there today, 170 at most. */
export function currentCodes(): string[] {
  return [...currencies.keys()].filter((code) => lifetimeOf(code).until === undefined).slice(0, 170);
}
