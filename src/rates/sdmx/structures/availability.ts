import type { Columns } from '../../../../core/columns/columns.js';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import type { RatesContext, RatesView } from '../../engine/rates-view.js';
import { nothingFound } from '../body.js';
import type { DataQuery } from '../data-query.js';
import { DIMENSIONS } from '../dataflow.js';
import { readSeries } from '../observations.js';
import { codesOf } from '../series-key.js';
import type { Region } from './artefacts.js';

/** Returns the codes of the series of a query, and the days on which their first and last periods begin. Throws a 404. */
export async function regionOf(
  query: DataQuery,
  known: { view: RatesView; context: RatesContext },
): Promise<Region> {
  const codes = DIMENSIONS.map(() => new Set<string>());
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const read = await readSeries({ ...query, first: 1, last: 1 }, known);
  for await (const { key, days } of read()) {
    codesOf(key).forEach((code, index) => void codes[index]?.add(code));
    from = Math.min(from, days[0] ?? from);
    to = Math.max(to, days.at(-1) ?? to);
  }
  if (to < from) throw nothingFound();
  return {
    codes: new Map(DIMENSIONS.map(({ id }, index) => [id, [...(codes[index] ?? [])].sort()])),
    days: { from: fromDayNumber(from), to: fromDayNumber(to) },
  };
}

/** Returns the codes of the blend, which has no sides, and its first and last day. Empty without rates. */
export function regionOfBlend({ quotes, days }: Columns): Region {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return { codes: new Map() };
  const codesIn = ({ id, codes }: (typeof DIMENSIONS)[number]['codelist']) => {
    if (id === 'CL_CURRENCY') return [...quotes].sort();
    return id === 'CL_EXR_TYPE' ? ['SP00'] : [...codes.keys()].sort();
  };
  return {
    codes: new Map(DIMENSIONS.map(({ id, codelist }) => [id, codesIn(codelist)])),
    days: { from: fromDayNumber(first), to: fromDayNumber(last) },
  };
}
