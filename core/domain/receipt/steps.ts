import { carryForward, PIVOT } from '../blend/carry-forward.js';
import { consensusOf, outliers, recencyWeight, weightedMean } from '../blend/consensus.js';
import { contributionsTo } from '../blend/dollar-pivot.js';
import { type CalendarDate, dayNumber, fromDayNumber, later } from '../dates.js';
import type { Peg } from '../pegs.js';
import type { ReceiptInput, ReceiptSteps } from './schema.js';

export interface Side {
  currency: string;
  date: CalendarDate;
  peg?: Pick<Peg, 'base' | 'rate'> | undefined;
}

export interface PairOfSides {
  base: Side;
  quote: Side;
  date: CalendarDate;
}

/** `for` is the currency whose rate per dollar it contributes to. */
export type CountedRow = Pick<ReceiptInput, 'for' | 'provider' | 'date' | 'base' | 'quote' | 'rate'>;

/** Undefined if that is the dollar. */
export function blendedCurrency({ currency, peg }: Side): string | undefined {
  const blended = peg ? peg.base : currency;
  return blended === PIVOT ? undefined : blended;
}

/** Computes the rate of a pair step by step, from the rows that are not held back. */
export function computeSteps(pair: PairOfSides, rows: readonly CountedRow[]): ReceiptSteps {
  const steps: Omit<ReceiptSteps, 'ratio'> = { frame: [], consensus: [], weights: [], peg: [] };
  const done = new Map<string, number>();
  const rateOf = (side: Side): number => {
    const blended = blendedCurrency(side);
    const known = done.get(`${blended} ${side.date}`);
    const rate = blended === undefined ? 1 : (known ?? blend(blended, side.date));
    done.set(`${blended} ${side.date}`, rate);
    if (!side.peg) return rate;
    steps.peg.push({ currency: side.currency, base: side.peg.base, rate: side.peg.rate });
    return side.peg.rate * rate;
  };
  const blend = (currency: string, date: CalendarDate): number => {
    const reference = dayNumber(date);
    const own = rows.filter((row) => row.for === currency);
    const contributions = contributionsTo(carryForward(own, date), currency, reference);
    const excluded = outliers(contributions);
    const counted = contributions.filter(({ provider }) => !excluded.has(provider));
    for (const { provider, day, rate, paths } of contributions)
      steps.frame.push({ currency, provider, date: fromDayNumber(day), rate, paths });
    const consensus = consensusOf(contributions);
    if (consensus) steps.consensus.push({ currency, ...consensus, excluded: [...excluded] });
    const rate = weightedMean(counted, reference);
    const total = counted.reduce((sum, { day }) => sum + recencyWeight(reference - day), 0);
    steps.weights.push({ currency, date, total, rate });
    return rate;
  };
  const [base, quote] = [rateOf(pair.base), rateOf(pair.quote)];
  const ratio = quote / base;
  const isSame = pair.base.currency === pair.quote.currency;
  const pegged = pair.quote.peg?.base === pair.base.currency ? pair.quote.peg.rate : undefined;
  return {
    ...steps,
    ratio: {
      base: { currency: pair.base.currency, date: pair.base.date, rate: base },
      quote: { currency: pair.quote.currency, date: pair.quote.date, rate: quote },
      date: isSame ? pair.date : later(pair.base.date, pair.quote.date),
      rate: isSame ? 1 : (pegged ?? ratio),
    },
  };
}
