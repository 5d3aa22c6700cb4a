import { type Clock, today as todayIn } from '../../../core/domain/clock.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import type { QueryReader, Route } from '../../http/route.js';
import { strictQuery } from '../../parameters/query.js';
import { ratesQuery } from '../engine/parameters.js';

const COMMON = {
  base: true,
  quotes: true,
  date: true,
  from: true,
  to: true,
  group: true,
  expand: true,
} as const;
const ofProvider = strictQuery(ratesQuery.pick(COMMON));
const ofAll = strictQuery(ratesQuery.pick({ ...COMMON, providers: true }));

/** No rates are dated after this day, so that a list from it on is empty. */
const NOTHING = { from: '9999-12-31' };

/** Reads the query of one of our routes as Frankfurter does, and returns what the route's handler expects. */
// Of a repeated parameter, the last counts, and one without `=` is absent.
export function queryAsFrankfurter({ path, query }: Route, clock: Clock): QueryReader<unknown> | undefined {
  if (!query || path.startsWith('/v1/')) return query;
  if (/\/rates?\b/.test(path)) return ratesReader(path, clock);
  return path === '/v2/coverage' ? query : catalogueReader(query);
}

/** Ignores unknown parameters. `providers` shows their past currencies as well. */
function catalogueReader({ schema, read }: QueryReader<unknown>): QueryReader<unknown> {
  return {
    schema,
    read(target) {
      const asked = lastValues(target);
      const providers = knownProviders(asked);
      const others = [...asked].filter(([name]) => name !== 'providers' && Object.hasOwn(schema.shape, name));
      const query = read(targetOf(others)) as object;
      return providers ? { ...query, scope: 'all', providers } : query;
    },
  };
}

/** Throws an HttpError 422 as `strictQuery`, and for `date` with `from` or `to`; 404 for a pair of unknown providers. */
function ratesReader(path: string, clock: Clock): QueryReader<unknown> {
  const isOfProvider = path.includes(':key');
  const isPair = path.includes('/rate/');
  const { schema, read } = isOfProvider ? ofProvider : ofAll;
  return {
    schema,
    read(target) {
      const asked = lastValues(target);
      const providers = isOfProvider ? undefined : knownProviders(asked);
      if (providers) asked.delete('providers');
      const { date, from, to, ...query } = read(targetOf(asked));
      if (date !== undefined && (from ?? to) !== undefined)
        throw new HttpError(422, 'conflicting params: use either date, or from and to');
      const isUnknown = providers?.length === 0;
      const pastDate = date !== undefined && date > todayIn(clock) ? undefined : date;
      const { base, quotes, group, expand } = query;
      if (isPair) {
        if (isUnknown) throw new HttpError(404, 'not found: no such provider');
        return { providers, date: pastDate, expand };
      }
      const isReversed = from !== undefined && to !== undefined && from > to;
      if (isUnknown || isReversed || asked.get('quotes')?.trim() === '') return { base, ...NOTHING };
      const rows = { base, quotes, providers, expand };
      return from === undefined ? { ...rows, date: pastDate } : { ...rows, from, to, group };
    },
  };
}

function lastValues(target: string): Map<string, string> {
  const parts = target.split('?').slice(1).join('?').split('&');
  return new Map(new URLSearchParams(parts.filter((part) => part.includes('=')).join('&')));
}

function targetOf(values: Iterable<[name: string, value: string]>): string {
  return `?${new URLSearchParams([...values])}`;
}

/** Undefined if none are named. */
function knownProviders(asked: ReadonlyMap<string, string>): string[] | undefined {
  const named = asked.get('providers')?.toUpperCase().split(',') ?? [];
  const keys = named.map((key) => key.trim()).filter((key) => key !== '');
  return keys.length > 0 ? [...new Set(keys)].filter((key) => providerOf(key)) : undefined;
}
