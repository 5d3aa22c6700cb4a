import { Decimal } from 'decimal.js';
import { FeedError } from './feed-error.js';

/** A rate and its sides as a feed reads them. Undefined, null or zero: the source has none. */
export interface Prices {
  rate: number | undefined;
  buy?: Price;
  sell?: Price;
}
type Price = number | null | undefined;

/** The prices at which a source buys and sells, and their exact midpoint as the rate; undefined if either is missing or zero. */
export function sidesOf(buy: Price, sell: Price): Prices {
  return { rate: buy && sell ? new Decimal(buy).plus(sell).div(2).toNumber() : undefined, buy, sell };
}

/**
 * A rate that a source prints beside its sides. Sides that can't be read, or that the rate is not between, are misprinted and
 * left out.
 */
export function withSides<Printed>(
  read: (printed: Printed) => number | undefined,
  ...[middle, ...sides]: readonly [rate: Printed, buy: Printed, sell: Printed]
): Prices {
  const rate = read(middle);
  const [buy, sell] = sides.map((side) => readableIn(read, side));
  const isBetween = rate && (buy || rate) <= rate && rate <= (sell || rate);
  return { rate, ...(isBetween && { buy, sell }) };
}

/** The prices of a row as text, to compare and to report. */
export function pricesOf({ rate, buy, sell }: Prices): string {
  return [rate, buy, sell].filter((price) => price !== undefined).join(' ');
}

function readableIn<Printed>(read: (printed: Printed) => Price, printed: Printed): Price {
  try {
    return read(printed);
  } catch (error) {
    if (error instanceof FeedError) return undefined;
    throw error;
  }
}
