import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import { successorsOf } from '../../../core/domain/fixed-rates.js';
import { currencyOf } from '../../../core/domain/minor-unit-aliases.js';
import { HttpError } from '../../http/errors.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Reader } from '../sources/raw-reads.js';
import { fixedRatesOf, lookUpRate } from './fixed-rates.js';
import type { Knowledge } from './knowledge.js';
import { lookUpsIn } from './look-ups.js';
import type { KnownRates } from './rate-source.js';
import type { ResolvedRequest } from './request.js';

/** The rate of a pair that was looked up. */
export interface FoundRate {
  base: string;
  quote: string;
  /** The requested day; by default the newest one. */
  picked: PickedDay;
  found: PairRate;
  /** The rates in which it was found. */
  rates: KnownRates;
}

/** Looks up the only pair of a request. Throws an HttpError 404 if it has no rate. */
export async function findRate(
  { base, quotes = [], providers, when }: ResolvedRequest,
  knowledge: Knowledge,
  reader: Reader,
): Promise<FoundRate> {
  const [quote = ''] = quotes;
  const asked = when.form === 'date' ? when : undefined;
  const pair = { base, quote, providers };
  const fixed = fixedRatesOf(pair, asked, knowledge.today);
  const currencies = Object.values(successorsOf(pair, fixed)).map(currencyOf);
  const days = { from: undefined, to: undefined, ...(asked && daysToPick(asked)), currencies };
  const rates = await knowledge.sourceOf(providers).ratesOn(days, reader);
  const result = lookUpRate(lookUpsIn(rates, knowledge.today + 1), pair, asked);
  if ('missing' in result) throw new HttpError(404, result.missing);
  return { base, quote, rates, ...result };
}
