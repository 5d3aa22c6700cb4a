import { type Series, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { firstDayOf, lastDayOf, type Period } from '../../../core/domain/periods.js';
import { lastUpTo } from '../snapshot/columns.js';
import { type DatedRows, plainRow, type Row, type Selection } from '../snapshot/rows.js';
import { type RawTable, rawRows, suspicionOf } from './raw-table.js';
import { type RebasedRate, rebaseEachDate } from './rebase.js';

/** One provider's own rows, and how it quotes. */
export interface PinnedProvider {
  key: string;
  /** The currency that it quotes all others against. */
  pivot: string | null;
  table: RawTable;
}

/** The newest day, up to a limit, on which the provider published; undefined where there is none. */
export function newestDayOf({ table }: PinnedProvider, limit: number): number | undefined {
  return table.days[lastUpTo(table.days, limit)];
}

/** The provider's rows from one day to another, both included, rebased within its own data, date by date. */
export function* pinnedRowsBetween(
  { table, pivot }: PinnedProvider,
  { base, quotes }: Selection,
  { from, to }: { from: number; to: number },
): Generator<DatedRows> {
  const wanted = quotes && new Set(quotes);
  // The base has a row if any other quote has one, so all are computed.
  const computed = wanted?.has(base) ? undefined : wanted;
  const rows = rawRows(table, from - WINDOW_DAYS, to);
  const suspicion = (series: Series) => suspicionOf(table, series, series.rate);
  const window = { from: fromDayNumber(from), to: fromDayNumber(to) };
  for (const { date, rates } of rebaseEachDate(rows, window, base, pivot, {
    wanted: computed,
    suspicionOf: suspicion,
  })) {
    if (rates.length === 0) continue;
    const dated = withBase(rates, base).filter(({ quote }) => !wanted || wanted.has(quote));
    if (dated.length > 0) yield { day: dayNumber(date), rows: dated };
  }
}

/** For each quote the provider's newest row in the 14 days up to a day, by date. */
export function newestPinnedRows(provider: PinnedProvider, selection: Selection, asOf: number): DatedRows[] {
  const newest = new Map<string, { day: number; row: Row }>();
  for (const { day, rows } of pinnedRowsBetween(provider, selection, {
    from: asOf - WINDOW_DAYS,
    to: asOf,
  })) {
    for (const row of rows) newest.set(row.quote, { day, row });
  }
  const byDay = new Map<number, Row[]>();
  for (const { day, row } of newest.values()) byDay.set(day, [...(byDay.get(day) ?? []), row]);
  return [...byDay]
    .sort(([one], [other]) => one - other)
    .map(([day, rows]) => ({ day, rows: rows.sort(byQuote) }));
}

/** The means of the provider's rows over the periods that the range overlaps. */
export function* pinnedMeans(
  provider: PinnedProvider,
  selection: Selection,
  { from, to, period }: { from: number; to: number; period: Exclude<Period, 'day'> },
): Generator<DatedRows> {
  const whole = { from: firstDayOf(period, from), to: lastDayOf(period, to) };
  let current: { day: number; sums: Map<string, { sum: number; count: number }> } | undefined;
  for (const { day, rows } of pinnedRowsBetween(provider, selection, whole)) {
    const first = firstDayOf(period, day);
    if (current && current.day !== first) yield { day: current.day, rows: meansIn(current.sums) };
    if (current?.day !== first) current = { day: first, sums: new Map() };
    for (const { quote, rate } of rows) {
      const { sum, count } = current.sums.get(quote) ?? { sum: 0, count: 0 };
      current.sums.set(quote, { sum: sum + rate, count: count + 1 });
    }
  }
  if (current) yield { day: current.day, rows: meansIn(current.sums) };
}

/** The rows with their one source named. */
export function* withPinnedSource(
  dates: Iterable<DatedRows>,
  key: string,
  base: string,
): Generator<DatedRows> {
  for (const { day, rows } of dates) {
    yield {
      day,
      rows: rows.map((row) => {
        if (row.quote === base) return row;
        const { rate, published, suspect } = row;
        return { ...row, sources: [{ key, day, rate, published, excluded: false, suspect }] };
      }),
    };
  }
}

function meansIn(sums: ReadonlyMap<string, { sum: number; count: number }>): Row[] {
  return [...sums].map(([quote, { sum, count }]) => plainRow(quote, sum / count)).sort(byQuote);
}

/** Adds the row of the base itself, with the rate 1. */
function withBase(rates: readonly RebasedRate[], base: string): Row[] {
  const rows = rates.map(({ quote, rate, published, suspect }) => ({
    quote,
    rate,
    published,
    suspect,
    sources: undefined,
  }));
  return [...rows, plainRow(base, 1)].sort(byQuote);
}

function byQuote(one: Row, other: Row): number {
  return one.quote < other.quote ? -1 : 1;
}
