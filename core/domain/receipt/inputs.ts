import { carryForward, isCarried, type RawRow, seriesOf, sortedSeries } from '../blend/carry-forward.js';
import { outliers } from '../blend/consensus.js';
import { toDollars } from '../blend/dollar-pivot.js';
import { recencyWeight } from '../blend/weight.js';
import { dayNumber, fromDayNumber } from '../dates.js';
import type { ReceiptInput, ReceiptSteps } from './schema.js';
import { contributionsTo } from './steps.js';

export interface CountedInput<Row> {
  for: string;
  row: Row;
  part: Omit<Part, 'judgement'>;
}

/** The computed members of an input, beside the published facts of its row. */
export type Part = Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect' | 'judgement'>;

/** The part of each row, by input name, and the steps, both computed from the address and the rows of a receipt. */
export interface Remade {
  parts: ReadonlyMap<string, Part>;
  steps: ReceiptSteps;
}

/** The sort key that identifies an input in a receipt. */
export function inputName(input: Pick<ReceiptInput, 'for' | 'provider' | 'base' | 'quote' | 'date'>): string {
  return `${input.for} ${input.provider} ${input.base}/${input.quote} ${input.date}`;
}

export function isHeldBack({ left_out }: Pick<ReceiptInput, 'left_out'>): boolean {
  return left_out?.startsWith('suspect') ?? false;
}

/** The rows that determine a rate per dollar on a day (day number): those that counted, outliers, and bridges. */
export function trustedInputs<Row extends RawRow>(
  rows: readonly Row[],
  currency: string,
  day: number,
): CountedInput<Row>[] {
  const date = fromDayNumber(day);
  const carried = carryForward(rows, date);
  const rowOf = new Map(
    rows
      .filter((row) => row.date <= date)
      .toSorted((one, other) => (one.date < other.date ? -1 : 1))
      .map((row) => [seriesOf(carried, row.provider, row.base, row.quote), row]),
  );
  const counted = new Set<Row>();
  const bridges = new Set<Row>();
  for (const series of sortedSeries(carried)) {
    const row = rowOf.get(series);
    const figure = isCarried(series, day) ? toDollars(series, series.rate, day) : undefined;
    if (!row || figure?.quote !== currency) continue;
    counted.add(row);
    const bridge = figure.bridge && rowOf.get(figure.bridge);
    if (bridge) bridges.add(bridge);
  }
  const all = [...counted, ...bridges].map((row) => ({ ...row, for: currency }));
  const excluded = outliers(contributionsTo(currency, date, all));
  const partOf = (row: Row) =>
    excluded.has(row.provider)
      ? { left_out: 'outlier' as const }
      : { weight: recencyWeight(day - dayNumber(row.date)) };
  return [
    ...[...counted].map((row) => ({ for: currency, row, part: partOf(row) })),
    ...[...bridges].map((row) => ({ for: currency, row, part: { bridge: true as const } })),
  ];
}
