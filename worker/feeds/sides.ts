import { Decimal } from 'decimal.js';

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

/** A rate that a source prints beside its sides. If it is not between them, they are misprinted and left out. */
export function withSides<Printed>(
  read: (printed: Printed) => number | undefined,
  ...printed: readonly [rate: Printed, buy: Printed, sell: Printed]
): Prices {
  const [rate, buy, sell] = printed.map((price) => read(price));
  const isBetween = rate && (buy || rate) <= rate && rate <= (sell || rate);
  return { rate, ...(isBetween && { buy, sell }) };
}

/** The prices of a row as text, to compare and to report. */
export function pricesOf({ rate, buy, sell }: Prices): string {
  return [rate, buy, sell].filter((price) => price !== undefined).join(' ');
}
