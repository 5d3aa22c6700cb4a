import { daysToPick, type PickedDay } from '../../../core/domain/day-pick.js';
import {
  atFixedRates,
  type FixedRates,
  fixedRatesAmong,
  successorsOf,
} from '../../../core/domain/fixed-rates.js';
import { currencyOf } from '../../../core/domain/minor-unit-aliases.js';
import { HttpError } from '../../http/errors.js';
import type { RateRows, Row } from '../snapshot/row.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Reader } from '../sources/raw-reads.js';
import { type LookUps, lookUpsIn } from './look-ups.js';
import { mapRows, rowsOf, whenFound } from './rate-source.js';
import type { RatesView } from './rates-view.js';
import type { ResolvedRequest } from './request.js';

/** A pair of which either currency may have ended. */
type Pair = Pick<ResolvedRequest, 'providers'> & { base: string; quote: string };

/** The fixed rates of a pair as of a day, by default `today`; undefined if none of its currencies has ended. */
function fixedRatesOf({ base, quote, providers }: Pair, picked: PickedDay | undefined, today: number) {
  if (providers) return undefined;
  const { day, pick } = picked ?? { day: today, pick: 'on-or-before' };
  return fixedRatesAmong([base, quote], pick === 'before' ? day - 1 : day);
}

/** `picked` is the requested day, by default the newest one. */
type LookedUp = { picked: PickedDay; found: PairRate } | { missing: string };

/** Looks up a rate as of a day, by default the newest. That of an ended currency follows from its successor's. */
export function lookUpRate(lookUps: LookUps, pair: Pair, asked: PickedDay | undefined): LookedUp {
  const fixed = fixedRatesOf(pair, asked, lookUps.today);
  const picked = asked ?? lookUps.newest;
  const { base, quote } = successorsOf(pair, fixed);
  const found = picked && lookUps.find(base, quote, picked);
  if (!found) return { missing: lookUps.missing({ ...pair, picked: asked, fixed }) };
  if (!fixed) return { picked, found };
  return { picked, found: { day: found.day, rate: atFixedRates(pair, found.rate, fixed), fixed } };
}

/** The row of a pair. If one of its currencies has ended, the row is derived from that of the successor. */
export function pairRowOf(
  view: Pick<RatesView, 'sourceOf' | 'today'>,
  request: ResolvedRequest,
  reader: Reader,
): RateRows | Promise<RateRows> {
  const { base, quotes: [quote = ''] = [], providers, when } = request;
  const pair = { base, quote };
  const asked = when.form === 'date' ? when : undefined;
  const fixed = fixedRatesOf({ ...pair, providers }, asked, view.today);
  if (!fixed) return rowsOf(view, request, reader);
  const successors = successorsOf(pair, fixed);
  const ofSuccessors = { ...request, base: successors.base, quotes: [successors.quote] };
  return whenFound(rowsOf(view, ofSuccessors, reader), (found) =>
    mapRows(found, ({ day, rows }) => ({ day, rows: rows.map((row) => atFixed(row, pair, fixed)) })),
  );
}

/** Derives the row of a pair from that of the successors. The fixed rate itself is shown with its own digits. */
function atFixed(row: Row, pair: { base: string; quote: string }, fixed: FixedRates): Row {
  const { base, quote } = pair;
  const priced = <T extends { rate: number }>(one: T): T => ({
    ...one,
    rate: atFixedRates(pair, one.rate, fixed),
    published: fixed[quote]?.base === base,
  });
  return { ...priced(row), quote, fixed, sources: row.sources?.map(priced) };
}

export type FoundRate = Awaited<ReturnType<typeof findRate>>;

/** Looks up the only pair of a request. Throws an HttpError 404 if it has no rate. */
export async function findRate(
  { base, quotes = [], providers, side, when }: ResolvedRequest,
  view: RatesView,
  reader: Reader,
) {
  const [quote = ''] = quotes;
  const asked = when.form === 'date' ? when : undefined;
  const pair = { base, quote, providers };
  const fixed = fixedRatesOf(pair, asked, view.today);
  const currencies = Object.values(successorsOf(pair, fixed)).map(currencyOf);
  const days = { from: undefined, to: undefined, ...(asked && daysToPick(asked)), currencies };
  const rates = await view.sourceOf(providers, side).ratesOn(days, reader);
  const result = lookUpRate(lookUpsIn(rates, view.today + 1), pair, asked);
  if ('missing' in result) throw new HttpError(404, result.missing, { code: 'no_rates' });
  return { base, quote, rates, ...result };
}
