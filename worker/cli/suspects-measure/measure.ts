import { createCarriedRows, type RawRow, seriesOf } from '../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import { createJudge } from '../../../core/domain/blend/judge.js';
import type { Suspect } from '../../../core/domain/blend/suspect.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { FAULTS, type Fault } from './faults.js';

/** How many sources give a currency: that many or more, but fewer than the next. */
export const SOURCES = [1, 2, 4, 10] as const;

/** The share of a kind of error that was caught on its day, where so many sources gave the currency. */
export interface Cell {
  fault: Fault;
  sources: number;
  draws: number;
  caught: number;
}

/** A row into which errors can be put. */
interface Target {
  row: RawRow;
  day: number;
  currency: string;
  sources: number;
  last: number;
}

/** Judges rows as they are, in the order of their days. Returns the suspects, and the rows that can bear an error. */
export function judgeUntouched(rows: readonly RawRow[]): { suspects: readonly Suspect[]; targets: Target[] } {
  const targets: Target[] = [];
  const carried = createCarriedRows();
  const judge = createJudge(carried, { isJudged: () => true });
  for (const [day, today] of byDay(rows)) {
    const before = today.map((row) => {
      const series = seriesOf(carried, row.provider, row.base, row.quote);
      return { row, series, age: day - series.day, last: series.rate };
    });
    const contributions = judge.observeDay(
      day,
      before.map(({ row, series }) => ({ series, rate: row.rate })),
    );
    for (const { row, series, age, last } of before) {
      const currency =
        series.day === day && age <= LONGEST_GAP ? toDollars(series, row.rate, day)?.quote : undefined;
      const sources = new Set(contributions.get(currency ?? '')?.map(({ provider }) => provider)).size;
      if (currency !== undefined && sources > 0) targets.push({ row, day, currency, sources, last });
    }
  }
  return { suspects: judge.changed(), targets };
}

/** A provider that gave a currency longer ago gives it for the first time, as far as a blend is concerned. */
const LONGEST_GAP = 35;

/** Puts errors into rows, `draws` of each kind and number of sources, and counts those that are caught on their day. */
export function measure(
  rows: readonly RawRow[],
  targets: readonly Target[],
  { draws, random }: { draws: number; random: () => number },
): Cell[] {
  const tables = tablesOf(rows);
  const cells = SOURCES.flatMap((sources) =>
    FAULTS.map((fault) => ({ fault, sources, draws: 0, caught: 0 })),
  );
  const waiting: Drawn[] = [];
  for (const cell of cells) {
    const most = SOURCES[SOURCES.indexOf(cell.sources) + 1] ?? Number.POSITIVE_INFINITY;
    const possible = targets.filter(({ sources }) => sources >= cell.sources && sources < most);
    for (let tries = 0; cell.draws < draws && possible.length > 0 && tries < 20 * draws; tries++) {
      const target = possible[Math.floor(random() * possible.length)];
      const table = target && tables.get(tableKey(target.row));
      const wrong = target && table && cell.fault.inject(target.row, { table, last: target.last, random });
      if (!target || !wrong) continue;
      cell.draws++;
      waiting.push({ cell, target, wrong });
    }
  }
  judgeErrors(rows, waiting);
  return cells;
}

interface Drawn {
  cell: Cell;
  target: Target;
  wrong: ReadonlyMap<RawRow, number>;
}

/** Judges each error by itself, after the days before it as they were recorded, and counts those caught. */
function judgeErrors(rows: readonly RawRow[], drawn: readonly Drawn[]): void {
  const onDay = new Map<number, Drawn[]>();
  for (const one of drawn) {
    const others = onDay.get(one.target.day);
    if (others) others.push(one);
    else onDay.set(one.target.day, [one]);
  }
  const carried = createCarriedRows();
  const judge = createJudge(carried, { isJudged: () => true });
  for (const [day, today] of byDay(rows)) {
    const observed = today.map((row) => ({
      row,
      series: seriesOf(carried, row.provider, row.base, row.quote),
      rate: row.rate,
    }));
    for (const { wrong, cell } of onDay.get(day) ?? []) {
      const changed = observed.map((one) => ({ ...one, rate: wrong.get(one.row) ?? one.rate }));
      const held = new Set(judge.preview(day, changed).map(({ series }) => series));
      if (observed.every(({ row, series }) => !wrong.has(row) || held.has(series))) cell.caught++;
    }
    judge.observeDay(day, observed);
  }
}

function* byDay(rows: readonly RawRow[]): Generator<[day: number, rows: RawRow[]]> {
  for (let start = 0; start < rows.length; ) {
    const date = rows[start]?.date ?? '';
    let end = start;
    while (rows[end]?.date === date) end++;
    yield [dayNumber(date), rows.slice(start, end)];
    start = end;
  }
}

function tablesOf(rows: readonly RawRow[]): Map<string, RawRow[]> {
  const tables = new Map<string, RawRow[]>();
  for (const row of rows) {
    const table = tables.get(tableKey(row));
    if (table) table.push(row);
    else tables.set(tableKey(row), [row]);
  }
  return tables;
}

/** Rows of a provider and a day that are quoted in one way: per unit of one base, or in one quote. */
function tableKey({ provider, date, base, quote }: RawRow): string {
  const pivot = PIVOTS.has(base) ? `${base}/` : `/${quote}`;
  return `${provider} ${date} ${pivot}`;
}

/** Bases of whole tables; other tables are in their provider's own currency. */
const PIVOTS = new Set(['EUR', 'USD', 'BWP', 'WST']);
