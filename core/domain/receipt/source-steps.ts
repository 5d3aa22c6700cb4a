import { unitsPer } from '../crossing.js';
import { type CalendarDate, later } from '../dates.js';
import type { ReceiptSteps } from './schema.js';
import type { CountedRow } from './steps.js';

export interface SourcePair {
  provider: string;
  base: string;
  quote: string;
  /** The currency per unit of which both sides are priced. */
  per: string;
  /** The date of the row, or the newer date if there are two figures. */
  date: CalendarDate;
}

/** `bridge` marks a row that only converts another row of the same currency to `per`. */
export type SourceRow = CountedRow & { bridge?: true | undefined };

/** Prices both per unit of a third currency, or of the other if a row contains both. NaN if a row is missing. */
export function computeSourceSteps(pair: SourcePair, rows: readonly SourceRow[]): ReceiptSteps {
  const { provider, per } = pair;
  const isSame = pair.base === pair.quote;
  const legOf = (currency: string) => {
    if (isSame || currency === per) return { currency, date: undefined, rate: 1 };
    const own = rows.filter((row) => row.for === currency && row.provider === provider);
    const main = own.find(({ bridge }) => !bridge);
    if (!main) return { currency, date: undefined, rate: NaN };
    const bridge = own.find(({ bridge }) => bridge);
    const other = main.base === currency ? main.quote : main.base;
    const rate = unitsPer(main, currency, per, bridge && unitsPer(bridge, other, per));
    return { currency, date: main.date, rate };
  };
  const [base, quote] = [legOf(pair.base), legOf(pair.quote)];
  const dates = [base, quote].flatMap(({ date }) => date ?? []);
  const date = dates.length > 0 ? dates.reduce(later) : pair.date;
  const figures = [base, quote].flatMap(({ date, ...leg }) => (date === undefined ? [] : { ...leg, date }));
  return {
    frame: [],
    consensus: [],
    weights: [],
    peg: [],
    source: { provider, per, figures },
    ratio: {
      base: { ...base, date: base.date ?? date },
      quote: { ...quote, date: quote.date ?? date },
      date,
      rate: quote.rate / base.rate,
    },
  };
}
