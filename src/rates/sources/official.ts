import { firstFrom } from '../../../core/columns/columns.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { type CalendarDate, dayNumber, earlier, fromDayNumber, later } from '../../../core/domain/dates.js';
import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import { heldUntil, periodEnd, periodStart, type ValidityPeriod } from '../../../core/domain/validity.js';
import { type DatedRows, plainRow, type Row, type Selection } from '../snapshot/row.js';
import { type RawTable, rawRows } from './raw-table.js';
import { rebaseDay } from './rebase.js';

/** The rates of a provider that are set for a period, and the currency that it quotes all others against. */
export interface OfficialRates {
  table: RawTable;
  pivot: string | null;
  period: ValidityPeriod;
}

/** Days, both included. */
interface Validity {
  from: CalendarDate;
  to: CalendarDate;
}

/**
 * The rates that are valid on a day, rebased within the provider's own data, by the day from which they are valid. A
 * rate is valid from its own date to the end of its period, or to the day before the next rate of its pair in it. One
 * that is crossed from two is valid while both are.
 */
export function officialRowsOn(rates: OfficialRates, selection: Selection, day: number): DatedRows[] {
  const byDay = new Map<number, Row[]>();
  for (const row of rowsOn(rates, selection, day)) {
    const { from } = row.validity;
    byDay.set(from, [...(byDay.get(from) ?? []), row]);
  }
  return [...byDay].sort(([one], [other]) => one - other).map(([from, rows]) => ({ day: from, rows }));
}

/**
 * The rates that are meant by a day: those that are valid on it, or on the day before; or of each quote the first that
 * becomes valid from it on.
 */
export function pickedOfficialRows(
  rates: OfficialRates,
  selection: Selection,
  picked: PickedDay,
): DatedRows[] {
  const { from, to } = daysToPick(picked);
  if (picked.pick !== 'next') return officialRowsOn(rates, selection, to);
  const seen = new Set<string>();
  const first: DatedRows[] = [];
  for (const { day, rows } of officialRowsBetween(rates, selection, { from, to })) {
    const unseen = rows.filter(({ quote }) => day >= from && !seen.has(quote));
    for (const { quote } of unseen) seen.add(quote);
    if (unseen.length > 0) first.push({ day, rows: unseen });
  }
  return first;
}

/** The rates that are valid on any day of a range, each once, by the day from which they are valid. */
export function* officialRowsBetween(
  rates: OfficialRates,
  selection: Selection,
  { from, to }: { from: number; to: number },
): Generator<DatedRows> {
  const first = dayNumber(periodStart(rates.period, fromDayNumber(from)));
  const days = new Set(rates.table.days.filter((day) => day >= first && day <= to));
  for (const day of days) {
    const rows = rowsOn(rates, selection, day).filter(
      ({ validity }) => validity.from === day && validity.to >= from,
    );
    if (rows.length > 0) yield { day, rows };
  }
}

type OfficialRow = Row & { validity: { from: number; to: number } };

function rowsOn(
  { table, pivot, period }: OfficialRates,
  { base, quotes }: Selection,
  day: number,
): OfficialRow[] {
  const date = fromDayNumber(day);
  const whole = wholePeriod(table, period, date);
  const valid = validOn(rawRows(table, dayNumber(whole.from), dayNumber(whole.to)), whole, date);
  // What is valid on the day can be crossed, whenever it was set.
  const rebased = rebaseDay(
    valid.map(({ row }) => row),
    base,
    pivot,
  );
  if (rebased.length === 0) return [];
  const withBase = [...rebased, plainRow(base, 1)].sort((one, other) => (one.quote < other.quote ? -1 : 1));
  const wanted = quotes ? withBase.filter(({ quote }) => quotes.includes(quote)) : withBase;
  return wanted.map((row) => {
    const { from, to } = validityOf(valid, base, row.quote) ?? whole;
    return { ...row, validity: { from: dayNumber(from), to: dayNumber(to) } };
  });
}

/** The period that holds a day. The rates of days hold from one list to the next, and none may hold. */
function wholePeriod({ days }: RawTable, period: ValidityPeriod, date: CalendarDate): Validity {
  const from = periodStart(period, date);
  if (period !== 'day') return { from, to: periodEnd(period, date) };
  const index = firstFrom(days, dayNumber(date) + 1);
  const [set, next] = [days[index - 1], days[index]].map((day) => day !== undefined && fromDayNumber(day));
  const none = { from: date, to: date };
  if (!set || set < from) return none;
  const to = heldUntil(set, next || undefined);
  return to < date ? none : { from: set, to };
}

interface ValidRow {
  row: RawRow;
  validity: Validity;
}

/** Of each pair the rate that is valid on the day, from rows of the period by date. */
function validOn(rows: Iterable<RawRow>, { to }: Validity, date: CalendarDate): ValidRow[] {
  const pairs = new Map<string, ValidRow>();
  for (const row of rows) {
    const pair = row.base + row.quote;
    if (row.date <= date) {
      pairs.set(pair, { row, validity: { from: row.date, to } });
      continue;
    }
    const current = pairs.get(pair);
    const dayBefore = fromDayNumber(dayNumber(row.date) - 1);
    if (current) current.validity.to = earlier(current.validity.to, dayBefore);
  }
  return [...pairs.values()];
}

/** The days on which all rates hold that a rate between the two is made of; undefined where there are none. */
function validityOf(valid: readonly ValidRow[], base: string, quote: string): Validity | undefined {
  const naming = (code: string) => valid.filter(({ row }) => row.base === code || row.quote === code);
  const [ofBase, ofQuote] = [naming(base), naming(quote)];
  const direct = ofBase.find((one) => ofQuote.includes(one));
  // The currency that all others are quoted against is named by all of them.
  const legs =
    direct && base !== quote
      ? [direct]
      : [ofBase, ofQuote].flatMap((rows) => (rows.length === 1 ? rows : []));
  if (legs.length === 0) return undefined;
  return {
    from: legs.map(({ validity }) => validity.from).reduce(later),
    to: legs.map(({ validity }) => validity.to).reduce(earlier),
  };
}
