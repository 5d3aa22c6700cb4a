import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../core/domain/blend/dollar-pivot.js';
import type { Suspect } from '../../core/domain/blend/suspect.js';
import { groupBy } from '../truth/group-by.js';
import { heldBackOf, type JudgedDay, judgeDaily } from './daily.js';
import { FAULTS, type Fault } from './faults.js';

/** How many sources give a currency: that many or more, but fewer than the next. */
export const SOURCES = [1, 2, 4, 10] as const;

/** The share of a kind of error that was caught on its day, by the number of sources that gave the currency. */
export interface Cell {
  fault: Fault;
  sources: number;
  draws: number;
  caught: number;
}

/** Whether a suspect was held back on its own day. */
export function wasHeld({ day, confirmedOn = Number.POSITIVE_INFINITY }: Suspect): boolean {
  return confirmedOn > day;
}

/** A row into which errors can be put. */
interface Target {
  row: RawRow;
  sources: number;
  last: number;
}

/** An error that was put into the table of a provider, and all rates of its day that are held back then. */
export interface DrawnError {
  cell: Cell;
  wrong: ReadonlyMap<RawRow, number>;
  heldBack: ReadonlySet<string>;
}

/** A provider that gave a currency longer ago gives it for the first time, as far as a blend is concerned. */
const LONGEST_GAP = 35;

/** Judges rows as they are. Returns the suspects, and the rows that can bear an error. */
export function judgeUntouched(rows: readonly RawRow[]): { suspects: readonly Suspect[]; targets: Target[] } {
  const targets: Target[] = [];
  let suspects: readonly Suspect[] = [];
  for (const judged of judgeDaily(rows)) {
    targets.push(...targetsOf(judged));
    suspects = judged.suspects;
  }
  return { suspects, targets };
}

function targetsOf({ day, rows, last, contributions, suspects }: JudgedDay): Target[] {
  const doubted = new Set(suspects.filter((one) => one.day === day).map(({ series }) => series.key));
  return rows.flatMap((row, index) => {
    const before = last[index];
    if (!before || day - before.day > LONGEST_GAP || doubted.has(before.key)) return [];
    const currency = toDollars(before, row.rate, day)?.quote ?? '';
    const sources = new Set(contributions.get(currency)?.map(({ provider }) => provider)).size;
    return sources > 0 ? [{ row, sources, last: before.rate }] : [];
  });
}

/**
 * Puts errors into rows, `draws` of each kind and number of sources, and judges each by itself, after the days before it
 * as they were recorded. Returns the errors by date.
 */
export function measure(
  rows: readonly RawRow[],
  targets: readonly Target[],
  options: { draws: number; random: () => number },
): { cells: Cell[]; errors: DrawnError[] } {
  const { cells, drawn } = drawErrors(rows, targets, options);
  const errors: DrawnError[] = [];
  for (const judged of judgeDaily(rows)) {
    for (const { cell, wrong } of drawn.get(judged.rows[0]?.date ?? '') ?? []) {
      const heldBack = heldBackOf(judged, wrong);
      if ([...wrong.keys()].every((row) => heldBack.has(keyOf(row)))) cell.caught++;
      errors.push({ cell, wrong, heldBack });
    }
  }
  return { cells, errors };
}

/** Draws errors, by date. */
function drawErrors(
  rows: readonly RawRow[],
  targets: readonly Target[],
  { draws, random }: { draws: number; random: () => number },
) {
  const tables = groupBy(rows, tableKey);
  const cells: Cell[] = SOURCES.flatMap((sources) =>
    FAULTS.map((fault) => ({ fault, sources, draws: 0, caught: 0 })),
  );
  const drawn: { cell: Cell; date: string; wrong: ReadonlyMap<RawRow, number> }[] = [];
  for (const cell of cells) {
    const most = SOURCES.find((sources) => sources > cell.sources) ?? Number.POSITIVE_INFINITY;
    const possible = targets.filter(({ sources }) => sources >= cell.sources && sources < most);
    for (let tries = 0; cell.draws < draws && possible.length > 0 && tries < 20 * draws; tries++) {
      const { row, last } = possible[Math.floor(random() * possible.length)] as Target;
      const wrong = cell.fault.inject(row, { table: tables.get(tableKey(row)) ?? [], last, random });
      if (!wrong) continue;
      cell.draws++;
      drawn.push({ cell, date: row.date, wrong });
    }
  }
  return { cells, drawn: groupBy(drawn, ({ date }) => date) };
}

/** The key of a row's series. */
export function keyOf({ provider, base, quote }: Pick<RawRow, 'provider' | 'base' | 'quote'>): string {
  return `${provider} ${base} ${quote}`;
}

/** Rows of a provider and a day that are quoted in one way: per unit of one base, or in one quote. */
function tableKey({ provider, date, base, quote }: RawRow): string {
  const pivot = PIVOTS.has(base) ? `${base}/` : `/${quote}`;
  return `${provider} ${date} ${pivot}`;
}

/** Bases of whole tables; other tables are in their provider's own currency. */
const PIVOTS = new Set(['EUR', 'USD', 'BWP', 'WST']);
