import { HttpError } from '../../http/errors.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Reader } from '../sources/raw-store.js';
import type { Knowledge } from './knowledge.js';
import { lookUpsIn } from './look-ups.js';
import type { KnownRates } from './rate-source.js';
import type { ResolvedRequest } from './request.js';

/** The rate of a pair that was looked up. Days are day numbers. */
export interface FoundRate {
  base: string;
  quote: string;
  /** The day that was asked for, the newest one if none was; and the one that was looked up, which may be the day before. */
  day: number;
  asked: number;
  found: PairRate;
  /** What it was found among. */
  rates: KnownRates;
}

/** Looks up the only pair of a request. Throws an HttpError 404 where it has no rate. */
export async function findRate(
  { base, quotes = [], providers, when }: ResolvedRequest,
  knowledge: Knowledge,
  { reader, isBefore = false }: { reader: Reader; isBefore?: boolean },
): Promise<FoundRate> {
  const [quote = ''] = quotes;
  const on = when.form === 'date' ? when.day : undefined;
  const days = { from: on, to: on, currencies: [base, quote] };
  const rates = await knowledge.sourceOf(providers).ratesOn(days, reader);
  const { newest, find, missing } = lookUpsIn(rates, knowledge.today + 1);
  const day = on ?? newest;
  const asked = day !== undefined && isBefore ? day - 1 : day;
  const found = asked === undefined ? undefined : find(base, quote, asked);
  if (!found || day === undefined || asked === undefined)
    throw new HttpError(404, missing({ base, quote, on, isBefore, asked, providers }));
  return { base, quote, day, asked, found, rates };
}
