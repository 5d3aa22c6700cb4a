import { PIVOT } from '../../../core/domain/blend/carry-forward.js';
import { dayNumber } from '../../../core/domain/dates.js';
import { type Peg, pegOf } from '../../../core/domain/pegs.js';
import { type Column, type Columns, rateAt, replaceColumn } from './columns.js';

/**
 * The daily columns of the blend, for pricing in a base. One that is pegged is held to its peg also on days on which
 * only its anchor is published: carried alone, it would be off its peg by what the anchor has moved since.
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

/** What is stored of a pegged currency, and between that its anchor's days at the peg. */
function heldTo(days: Int32Array, { rate, since }: Peg, own: Column, anchor: Column): Column {
  const first = dayNumber(since);
  const rates = Float64Array.from(days, (day, place) => {
    const stored = rateAt(own, place);
    return Number.isNaN(stored) && day >= first ? rate * rateAt(anchor, place) : stored;
  });
  return { rates, first: 0, step: 1 };
}
