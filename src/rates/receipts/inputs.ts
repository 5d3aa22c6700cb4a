import {
  carryForward,
  isCarried,
  type RawRow,
  type Series,
  seriesOf,
  sortedSeries,
  WINDOW_DAYS,
} from '../../../core/domain/blend/carry-forward.js';
import { outliers } from '../../../core/domain/blend/consensus.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { recencyWeight } from '../../../core/domain/blend/weight.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import type { ReceiptInput } from '../../../core/domain/receipt/schema.js';
import { contributionsTo } from '../../../core/domain/receipt/steps.js';
import { countedRows } from '../raw/day-blends.js';
import type { RawTable } from '../raw/raw-table.js';

/** A row that is behind a rate, without its evidence. */
export type Input = Omit<ReceiptInput, 'recorded_at' | 'evidence'>;

/**
 * The rows that are behind the rate per dollar of a currency on a day (day number): those that counted, those that were
 * left out, and those that only bring others to dollars. The table begins 14 days before the day, or earlier.
 */
export function inputsOf(table: RawTable, currency: string, day: number): Input[] {
  const heldBack = new Map<string, { row: RawRow; day: number; reason: SuspicionReason }>();
  const rows = countedRows(table, day - WINDOW_DAYS, day, (suspect) => {
    const { provider, base, quote } = suspect.row;
    heldBack.set(`${provider} ${base} ${quote}`, suspect);
  });
  const carried = carryForward(rows, fromDayNumber(day));
  const counted = new Set<Series>();
  const bridges = new Set<Series>();
  for (const series of sortedSeries(carried)) {
    if (!isCarried(series, day) || toDollars(series, series.rate, day)?.quote !== currency) continue;
    counted.add(series);
    const bridge = bridgeOf(series, day);
    if (bridge) bridges.add(bridge);
  }
  const suspects: Input[] = [];
  for (const { row, day: observed, reason } of heldBack.values()) {
    const series = seriesOf(carried, row.provider, row.base, row.quote);
    if (series.day >= observed || toDollars(series, row.rate, day)?.quote !== currency) continue;
    suspects.push({ for: currency, ...row, left_out: `suspect: ${reason}` });
  }
  const main = [...counted].map((series) => ({ for: currency, ...rowOf(series) }));
  const others = [...bridges].filter((series) => !counted.has(series));
  const date = fromDayNumber(day);
  const all = [...main, ...others.map((series) => ({ for: currency, ...rowOf(series) }))];
  const excluded = outliers(contributionsTo(currency, date, all));
  return [
    ...main.map((row) =>
      excluded.has(row.provider)
        ? { ...row, left_out: 'outlier' }
        : { ...row, weight: recencyWeight(day - dayNumber(row.date)) },
    ),
    ...others.map((series) => ({ for: currency, ...rowOf(series), bridge: true as const })),
    ...suspects,
  ];
}

/** The series through which a pair without the dollar is brought to dollars. */
function bridgeOf({ bridges }: Series, day: number): Series | undefined {
  if (!bridges) return undefined;
  const { dollarQuote, dollarBase, baseDollar } = bridges;
  return [dollarQuote, dollarBase, baseDollar].find((series) => isCarried(series, day));
}

function rowOf({ provider, day, base, quote, rate }: Series): RawRow {
  return { provider, date: fromDayNumber(day), base, quote, rate };
}
