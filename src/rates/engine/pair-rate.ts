import { currencyOf } from '../../../core/domain/minor-unit-aliases.js';
import { HttpError } from '../../http/errors.js';
import { daysToPick, type PickedDay } from '../snapshot/day-pick.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Reader } from '../sources/raw-store.js';
import type { Knowledge } from './knowledge.js';
import { lookUpsIn } from './look-ups.js';
import type { KnownRates } from './rate-source.js';
import type { ResolvedRequest } from './request.js';

/** The rate of a pair that was looked up. */
export interface FoundRate {
  base: string;
  quote: string;
  /** The day that was asked for, the newest one if none was. */
  picked: PickedDay;
  found: PairRate;
  /** What it was found among. */
  rates: KnownRates;
}

/** Looks up the only pair of a request. Throws an HttpError 404 where it has no rate. */
export async function findRate(
  { base, quotes = [], providers, when }: ResolvedRequest,
  knowledge: Knowledge,
  reader: Reader,
): Promise<FoundRate> {
  const [quote = ''] = quotes;
  const asked = when.form === 'date' ? when : undefined;
  const currencies = [base, quote].map(currencyOf);
  const days = { from: undefined, to: undefined, ...(asked && daysToPick(asked)), currencies };
  const rates = await knowledge.sourceOf(providers).ratesOn(days, reader);
  const { newest, find, missing } = lookUpsIn(rates, knowledge.today + 1);
  const picked = asked ?? newest;
  const found = picked && find(base, quote, picked);
  if (!picked || !found) throw new HttpError(404, missing({ base, quote, picked: asked, providers }));
  return { base, quote, picked, found, rates };
}
