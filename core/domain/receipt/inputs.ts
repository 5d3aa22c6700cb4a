import { carryForward, isCarried, type Series, seriesNaming } from '../blend/carry-forward.js';
import { outliers, recencyWeight } from '../blend/consensus.js';
import { contributionsTo, toDollars } from '../blend/dollar-pivot.js';
import { fromDayNumber } from '../dates.js';
import type { ReceiptInput, ReceiptSteps } from './schema.js';
import type { CountedRow } from './steps.js';

/** The computed members of an input, beside the published facts of its row. */
export type Part = Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect'>;

/** The inputs and the steps that follow from the address and the rows of a receipt. */
export interface Remade {
  inputs: readonly ReceiptInput[];
  steps: ReceiptSteps;
}

/** The sort key that identifies an input in a receipt. */
export function inputName(input: Pick<ReceiptInput, 'for' | 'provider' | 'base' | 'quote' | 'date'>): string {
  return `${input.for} ${input.provider} ${input.base}/${input.quote} ${input.date}`;
}

export function isHeldBack({ left_out }: Pick<ReceiptInput, 'left_out'>): boolean {
  return left_out?.startsWith('suspect') ?? false;
}

/** Of the rows for a currency, those that determine its rate per dollar on a day: counted ones, outliers, and bridges. */
export function trustedInputs<Row extends CountedRow>(
  rows: readonly Row[],
  currency: string,
  day: number,
): (Row & Part)[] {
  const named = new Map(rows.map((row) => [`${row.provider} ${row.base} ${row.quote} ${row.date}`, row]));
  const rowOf = ({ key, day: newest }: Series) => named.get(`${key} ${fromDayNumber(newest)}`);
  const carried = carryForward(rows, fromDayNumber(day));
  const excluded = outliers(contributionsTo(carried, currency, day));
  const counted: (Row & Part)[] = [];
  const bridges = new Set<Row>();
  for (const series of seriesNaming(carried, currency)) {
    const figure = isCarried(series, day) ? toDollars(series, series.rate, day) : undefined;
    const row = figure?.quote === currency && rowOf(series);
    if (!row) continue;
    const part: Part = excluded.has(series.provider)
      ? { left_out: 'outlier' }
      : { weight: recencyWeight(day - series.day) };
    counted.push({ ...row, ...part });
    const bridge = figure.bridge && rowOf(figure.bridge);
    if (bridge) bridges.add(bridge);
  }
  return [...counted, ...Array.from(bridges, (row) => ({ ...row, bridge: true as const }))];
}
