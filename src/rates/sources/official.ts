import { firstFrom } from '../../../core/columns/columns.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { type DayWindow, dayNumber } from '../../../core/domain/dates.js';
import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import { heldUntil, periodEnd, periodStart, type ValidityPeriod } from '../../../core/domain/validity.js';
import { type DatedRows, groupByDay, plainRow, type Row, type Selection } from '../snapshot/row.js';
import { type RawTable, rawRows } from './raw-table.js';
import { rebaseDay } from './rebase.js';

/** The rates of a provider that are set for a period, and the currency against which it quotes all others. */
export interface OfficialRates {
  table: RawTable;
  pivot: string | null;
  period: ValidityPeriod;
}

/** Returns the picked rates by the day from which they are valid, rebased within the provider's own data. */
// These are valid on the day or on the day before, or are each quote's first from the day on. A rate is valid to
// the end of its period, or to the day before the next rate of its pair in it; a crossed rate while both are.
export function pickedOfficialRows(
  rates: OfficialRates,
  selection: Selection,
  picked: PickedDay,
): DatedRows[] {
  const { from, to } = daysToPick(picked);
  if (picked.pick !== 'next')
    return groupByDay(rowsOn(rates, selection, to).map((row) => [row.validity.from, row]));
  const first = new Map<string, [day: number, row: Row]>();
  for (const { day, rows } of officialRowsBetween(rates, selection, { from, to })) {
    for (const row of rows) if (day >= from && !first.has(row.quote)) first.set(row.quote, [day, row]);
  }
  return groupByDay(first.values());
}

/** Generates the rates that are valid on any day of a range, each once, by the day from which they are valid. */
export function* officialRowsBetween(
  rates: OfficialRates,
  selection: Selection,
  { from, to }: DayWindow,
): Generator<DatedRows> {
  const first = periodStart[rates.period](from);
  const days = new Set(rates.table.days.filter((day) => day >= first && day <= to));
  for (const day of days) {
    const rows = rowsOn(rates, selection, day).filter(
      ({ validity }) => validity.from === day && validity.to >= from,
    );
    if (rows.length > 0) yield { day, rows };
  }
}

function rowsOn({ table, pivot, period }: OfficialRates, { base, quotes }: Selection, day: number) {
  const whole = wholePeriod(table, period, day);
  const valid = validOn(rawRows(table, whole.from, whole.to), whole, day);
  // All rates valid on the day can be crossed, whenever they were set.
  const ofDay = valid.map(({ row }) => row);
  const rebased: Row[] = rebaseDay(ofDay, base, pivot);
  if (rebased.length === 0) return [];
  return [...rebased, plainRow(base, 1)]
    .filter(({ quote }) => !quotes || quotes.includes(quote))
    .sort((one, other) => (one.quote < other.quote ? -1 : 1))
    .map((row) => ({ ...row, validity: validityOf(valid, base, row.quote) ?? whole }));
}

/** The period that contains a day. Daily rates are valid from one list to the next; there may be no valid list. */
function wholePeriod({ days }: RawTable, period: ValidityPeriod, day: number): DayWindow {
  const from = periodStart[period](day);
  if (period !== 'day') return { from, to: periodEnd[period](day) };
  const index = firstFrom(days, day + 1);
  const [set = Number.NEGATIVE_INFINITY, next] = [days[index - 1], days[index]];
  if (set < from) return { from: day, to: day };
  const to = heldUntil(set, next);
  return to < day ? { from: day, to: day } : { from: set, to };
}

interface ValidRow {
  row: RawRow;
  validity: DayWindow;
}

function validOn(rows: Iterable<RawRow>, { to }: DayWindow, day: number): ValidRow[] {
  const pairs = new Map<string, ValidRow>();
  for (const row of rows) {
    const pair = row.base + row.quote;
    const from = dayNumber(row.date);
    const current = pairs.get(pair);
    if (from <= day) pairs.set(pair, { row, validity: { from, to } });
    else if (current) current.validity = { ...current.validity, to: Math.min(current.validity.to, from - 1) };
  }
  return [...pairs.values()];
}

/** The days on which all rates behind the rate between two currencies are valid; undefined if there are none. */
function validityOf(valid: readonly ValidRow[], base: string, quote: string): DayWindow | undefined {
  const naming = (code: string) => valid.filter(({ row }) => row.base === code || row.quote === code);
  const [ofBase, ofQuote] = [naming(base), naming(quote)];
  const direct = ofBase.find((one) => ofQuote.includes(one));
  // All rates contain the currency against which the others are quoted.
  const legs =
    direct && base !== quote
      ? [direct]
      : [ofBase, ofQuote].flatMap((rows) => (rows.length === 1 ? rows : []));
  if (legs.length === 0) return undefined;
  return {
    from: Math.max(...legs.map(({ validity }) => validity.from)),
    to: Math.min(...legs.map(({ validity }) => validity.to)),
  };
}
