import type { PickedDay } from '../../../core/domain/day-pick.js';
import {
  atFixedRates,
  type FixedRates,
  fixedRatesAmong,
  successorsOf,
} from '../../../core/domain/fixed-rates.js';
import type { Row } from '../snapshot/row.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Knowledge } from './knowledge.js';
import type { LookUps } from './look-ups.js';
import { rowSourceOf } from './minor-units.js';
import { type RowsOf, rowsMadeOf } from './rate-source.js';
import type { ResolvedRequest } from './request.js';

/** A pair of which either currency may have ended. */
type Pair = Pick<ResolvedRequest, 'providers'> & { base: string; quote: string };

/**
 * The fixed rates for a pair after the end of its currencies; undefined if neither has ended. `picked` is the requested day,
 * which defaults to `today`. Requests for single providers use no fixed rates.
 */
export function fixedRatesOf(
  { base, quote, providers }: Pair,
  picked: PickedDay | undefined,
  today: number,
): FixedRates | undefined {
  if (providers) return undefined;
  const { day, pick } = picked ?? { day: today, pick: 'on-or-before' };
  return fixedRatesAmong([base, quote], pick === 'before' ? day - 1 : day);
}

/** Looks up the rate of a pair as of a day. With fixed rates, it is derived from that of the successors. */
export function findAtFixedRates(
  { find }: Pick<LookUps, 'find'>,
  pair: Pair,
  picked: PickedDay,
  fixed: FixedRates | undefined,
): PairRate | undefined {
  const { base, quote } = successorsOf(pair, fixed);
  const found = find(base, quote, picked);
  if (!fixed || !found) return found;
  return { day: found.day, rate: atFixedRates(pair, found.rate, fixed), fixed };
}

/** The source of the row of a pair. If one of its currencies has ended, the row is derived from that of the successor. */
export function pairSourceOf(
  knowledge: Pick<Knowledge, 'sourceOf' | 'today'>,
  request: ResolvedRequest,
): RowsOf {
  const { base, quotes: [quote = ''] = [], providers, when } = request;
  const pair = { base, quote };
  const fixed = fixedRatesOf(
    { ...pair, providers },
    when.form === 'date' ? when : undefined,
    knowledge.today,
  );
  if (!fixed) return rowSourceOf(knowledge, request);
  const successors = successorsOf(pair, fixed);
  const asked = { ...request, base: successors.base, quotes: [successors.quote] };
  return rowsMadeOf(
    rowSourceOf(knowledge, asked),
    () => asked,
    ({ day, rows }) => ({ day, rows: rows.map((row) => atFixed(row, pair, fixed)) }),
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
