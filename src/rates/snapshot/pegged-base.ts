import { PIVOT } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { type Peg, pegOf } from '../../../core/domain/pegs.js';
import { type Column, type Columns, rateAt, replaceColumn } from './columns.js';

/**
 * The daily columns of the blend, for pricing in a base. A pegged base is held to its peg also on days on which only its
 * anchor has a rate: the carried rate of the base would be off the peg by what the anchor has moved since.
 */
export function columnsForBase(columns: Columns, base: string): Columns {
  const peg = pegOf(base);
  const own = columns.byQuote.get(base);
  const anchor = peg && columns.byQuote.get(peg.base);
  if (!own || !anchor || peg.base === PIVOT) return columns;
  const known = columns.forPeggedBase.get(base);
  if (known) return known;
  const made = replaceColumn(columns, base, heldTo(columns.days, peg, own, anchor));
  columns.forPeggedBase.set(base, made);
  return made;
}

/** The stored rates of a pegged currency, and where it has none those of its anchor, times the peg. */
function heldTo(days: Int32Array, { rate, since }: Peg, own: Column, anchor: Column): Column {
  const first = dayNumber(since);
  const rates = Float64Array.from(days, (day, dayIndex) => {
    const stored = rateAt(own, dayIndex);
    return Number.isNaN(stored) && day >= first ? rate * rateAt(anchor, dayIndex) : stored;
  });
  return { rates, first: 0, step: 1 };
}
