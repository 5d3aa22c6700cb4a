import { carryForward, seriesOf } from '../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type CountedInput, trustedInputs } from '../../../core/domain/receipt/inputs.js';
import type { ProvenanceRow } from './rows-behind.js';

/** Returns the rows of a day (day number) that counted, were left out, or only convert other currencies to dollars. */
export function inputsOf(
  rows: readonly ProvenanceRow[],
  currency: string,
  day: number,
): CountedInput<ProvenanceRow>[] {
  const trusted = rows.filter(({ suspicion }) => suspicion === null);
  const carried = carryForward(trusted, fromDayNumber(day));
  const leftOut = rows.flatMap((row): CountedInput<ProvenanceRow>[] => {
    const { provider, date, base, quote, rate, suspicion } = row;
    if (suspicion === null) return [];
    const series = seriesOf(carried, provider, base, quote);
    const isLeftOut = series.day < dayNumber(date) && toDollars(series, rate, day)?.quote === currency;
    return isLeftOut ? [{ for: currency, row, part: { left_out: `suspect: ${suspicion}` } }] : [];
  });
  return [...trustedInputs(trusted, currency, day), ...leftOut];
}
