import {
  carryForward,
  isCarried,
  type Series,
  seriesOf,
  sortedSeries,
} from '../../../core/domain/blend/carry-forward.js';
import { outliers } from '../../../core/domain/blend/consensus.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import { recencyWeight } from '../../../core/domain/blend/weight.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { ReceiptInput } from '../../../core/domain/receipt/schema.js';
import { contributionsTo } from '../../../core/domain/receipt/steps.js';
import type { ProvenanceRow } from './rows-behind.js';

/** A row that is behind the rate of a currency, and its part in it. */
export interface CountedInput {
  for: string;
  row: ProvenanceRow;
  part: Pick<ReceiptInput, 'weight' | 'left_out' | 'bridge' | 'suspect'>;
}

/**
 * Of the rows that the rate per dollar of a currency on a day (day number) may be made of:
 * those that counted, those that were left out, and those that only bring others to dollars.
 */
export function inputsOf(rows: readonly ProvenanceRow[], currency: string, day: number): CountedInput[] {
  const believed = rows.filter(({ suspicion }) => suspicion === null);
  const carried = carryForward(believed, fromDayNumber(day));
  const rowOf = new Map(believed.map((row) => [seriesOf(carried, row.provider, row.base, row.quote), row]));
  const counted = new Set<ProvenanceRow>();
  const bridges = new Set<ProvenanceRow>();
  for (const series of sortedSeries(carried)) {
    const row = rowOf.get(series);
    if (!row || !isCarried(series, day) || toDollars(series, series.rate, day)?.quote !== currency) continue;
    counted.add(row);
    const bridge = rowOf.get(bridgeOf(series, day) ?? series);
    if (bridge && bridge !== row) bridges.add(bridge);
  }
  const isLeftOut = ({ provider, date, base, quote, rate, suspicion }: ProvenanceRow) => {
    if (suspicion === null) return false;
    const series = seriesOf(carried, provider, base, quote);
    return series.day < dayNumber(date) && toDollars(series, rate, day)?.quote === currency;
  };
  const all = [...counted, ...bridges].map((row) => ({ ...row, for: currency }));
  const excluded = outliers(contributionsTo(currency, fromDayNumber(day), all));
  const input = (row: ProvenanceRow, part: CountedInput['part']): CountedInput => ({
    for: currency,
    row,
    part,
  });
  return [
    ...[...counted].map((row) =>
      excluded.has(row.provider)
        ? input(row, { left_out: 'outlier' })
        : input(row, { weight: recencyWeight(day - dayNumber(row.date)) }),
    ),
    ...[...bridges].map((row) => input(row, { bridge: true })),
    ...rows.filter(isLeftOut).map((row) => input(row, { left_out: `suspect: ${row.suspicion}` })),
  ];
}

/** The series through which a pair without the dollar is brought to dollars. */
function bridgeOf({ bridges }: Series, day: number): Series | undefined {
  if (!bridges) return undefined;
  const { dollarQuote, dollarBase, baseDollar } = bridges;
  return [dollarQuote, dollarBase, baseDollar].find((series) => isCarried(series, day));
}
