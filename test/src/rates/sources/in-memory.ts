import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { type Columns, ColumnsBuilder } from '../../../../core/columns/columns.js';
import { blendedDay } from '../../../../core/domain/blend/apply-pegs.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import type { SuspicionReason } from '../../../../core/domain/blend/suspicion.js';
import { dayNumber, fromDayNumber, MILLISECONDS_PER_DAY } from '../../../../core/domain/dates.js';
import type { ValidityPeriod } from '../../../../core/domain/validity.js';
import { type LookUps, lookUpsIn } from '../../../../src/rates/engine/look-ups.js';
import { type KnownRates, type LookUpDays, sourceOn } from '../../../../src/rates/engine/rate-source.js';
import type { ResolvedRequest } from '../../../../src/rates/engine/request.js';
import { type DatedRows, type RateRows, rowsByDate } from '../../../../src/rates/snapshot/row.js';
import { blendsOf, type WholeSnapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { blendsOn, windowOfNewest } from '../../../../src/rates/sources/day-blends.js';
import { providerRatesOf } from '../../../../src/rates/sources/provider-rates.js';
import type { Reader } from '../../../../src/rates/sources/raw-reads.js';
import type { RawStore } from '../../../../src/rates/sources/raw-store.js';
import type { RawTable } from '../../../../src/rates/sources/raw-table.js';
import { type Shares, sharesIn } from '../../../../src/rates/sources/shares.js';

/** A row that may be held back as suspect. It is recorded at midnight after its day, by the run, if that is known. */
export type KnownRow = RawRow & { suspect?: SuspicionReason; run?: number };

export const TOMORROW = 30_000;

/** `ECB 2026-03-02 EUR/USD 1.25`; a day number may stand for the date, and a reason may follow where the row is suspect. */
export function row(text: string, suspect?: SuspicionReason): KnownRow {
  const [provider = '', date = '', pair = '', rate = '', reason = suspect] = text.split(' ');
  const [base = '', quote = ''] = pair.split('/');
  return {
    provider,
    date: date.includes('-') ? date : fromDayNumber(Number(date)),
    base,
    quote,
    rate: Number(rate),
    ...(reason && { suspect: reason as SuspicionReason }),
  };
}

export const rowsOf = (texts: readonly string[]): KnownRow[] => texts.map((each) => row(each));

/** The first day of `rowAt` and `anyRows`. */
export const FIRST = 20_500;

/** A row of a pair such as `ECB EUR/USD 1.25`, some days after the first, at a multiple of its level. */
export function rowAt(pair: string, at: number, times: number, suspect?: SuspicionReason): KnownRow {
  const [provider, codes, level] = pair.split(' ');
  return row(`${provider} ${FIRST + at} ${codes} ${Number(level) * times}`, suspect);
}

/** Any rows of some pairs. A pair has one rate a day. */
export function anyRows(
  pairs: readonly string[],
  { at, times, most = 40 }: { at: fc.Arbitrary<number>; times: fc.Arbitrary<number>; most?: number },
): fc.Arbitrary<KnownRow[]> {
  const selector = ([pair, at]: [string, number, number]) => `${pair} ${at}`;
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...pairs), at, times), { selector, maxLength: most, size: 'max' })
    .map((figures) => figures.map(([pair, at, times]) => rowAt(pair, at, times)));
}

/** The rows as they are held in memory, by date. */
export function tableOf(rows: readonly KnownRow[]): RawTable {
  const ordered = rows.toSorted((one, other) => dayNumber(one.date) - dayNumber(other.date));
  const names = [...new Set(ordered.flatMap(({ provider, base, quote }) => [provider, base, quote]))];
  const numbers = (of: 'provider' | 'base' | 'quote') =>
    Uint16Array.from(ordered, (each) => names.indexOf(each[of]));
  return {
    days: Int32Array.from(ordered, ({ date }) => dayNumber(date)),
    rates: Float64Array.from(ordered, ({ rate }) => rate),
    providers: numbers('provider'),
    bases: numbers('base'),
    quotes: numbers('quote'),
    names,
    leftOut: new Map(ordered.flatMap(({ suspect }, index) => (suspect ? [[index, suspect] as const] : []))),
    records: {
      at: Float64Array.from(ordered, ({ date }) => (dayNumber(date) + 1) * MILLISECONDS_PER_DAY),
      runs: Int32Array.from(ordered, ({ run = 0 }) => run),
    },
  };
}

const snapshots = new WeakMap<readonly KnownRow[], WholeSnapshot>();

/** The blend of all rows, as a worker stores it. It is made once for the same list of rows. */
export function snapshotOf(rows: readonly KnownRow[]): WholeSnapshot {
  const snapshot = snapshots.get(rows) ?? blendOf(rows);
  snapshots.set(rows, snapshot);
  return snapshot;
}

/** Columns of the rates that there are on some days, ascending for each currency. */
export function columnsFrom(rates: readonly { day: number; quote: string; rate: number }[]): Columns {
  const builder = new ColumnsBuilder();
  for (const { day, quote, rate } of rates) builder.append(quote, day, rate);
  return builder.finish();
}

function blendOf(rows: readonly KnownRow[]): WholeSnapshot {
  const window = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const blended = [...blendsOn(tableOf(rows), window)].flatMap(({ day, blends }) =>
    blendedDay(fromDayNumber(day), [...blends.values()]).map(({ quote, rate }) => ({ day, quote, rate })),
  );
  return { version: '1', dataVersion: 1n, knownAt: 0, ...blendsOf(columnsFrom(blended)) };
}

const { signal } = new AbortController();
// Many requests wait on it at once.
setMaxListeners(0, signal);

export const reader: Reader = { signal };

/** What the blends behind the newest rates are made of, of which `asOf` is the newest day. */
export function newestSharesOf(table: RawTable, asOf: number): Shares {
  return sharesIn(blendsOn(table, { from: windowOfNewest(asOf).from, to: asOf }));
}

interface Source {
  /** The currency that a provider quotes all others against; null where there is none. */
  pivot?: string | null;
  period?: ValidityPeriod;
}

/** A store of rows in memory. It gives no other rows than a selection wants. */
export function storeOf(rows: readonly KnownRow[], { pivot = null, period }: Source = {}): RawStore {
  const read: RawStore['read'] = async (_snapshot, { from, to, providers, currencies, newestBefore }) => {
    const selected = rows.filter(({ provider, date, base, quote }) => {
      const day = dayNumber(date);
      if (day < (from ?? day) || day > (to ?? day) || providers?.includes(provider) === false) return false;
      return !currencies || [...currencies, 'USD'].some((code) => code === base || code === quote);
    });
    return tableOf(newestBefore === undefined ? selected : withNewestBefore(selected, newestBefore));
  };
  return {
    read,
    async ofProvider(snapshot, key, who) {
      return providerRatesOf(await read(snapshot, { providers: [key] }, who), pivot, period);
    },
    cachedShares: () => undefined,
    cachedOfProvider: () => undefined,
    since: (snapshot, day, who) => read(snapshot, { from: day }, who),
    async newestShares(snapshot, asOf, who) {
      return newestSharesOf(await read(snapshot, { from: windowOfNewest(asOf).readFrom }, who), asOf);
    },
    lastBefore: async (_snapshot, day) =>
      tableOf(withNewestBefore(rows, Number.POSITIVE_INFINITY).filter(({ date }) => dayNumber(date) < day)),
    statesOf: async () => [],
    async span(_snapshot, providers, upTo) {
      const published = rows.filter(({ provider }) => providers.includes(provider));
      const days = published.map(({ date }) => dayNumber(date)).filter((day) => day <= upTo);
      return days.length === 0 ? undefined : { first: Math.min(...days), newest: Math.max(...days) };
    },
  };
}

const pairOf = ({ provider, base, quote }: KnownRow) => `${provider} ${base} ${quote}`;

/** Of the days before one, only the newest row of each pair that is not suspect. */
function withNewestBefore(rows: readonly KnownRow[], before: number): KnownRow[] {
  const newest = new Map<string, KnownRow>();
  for (const each of rows.toSorted((one, other) => (one.date < other.date ? -1 : 1))) {
    if (dayNumber(each.date) < before && !each.suspect) newest.set(pairOf(each), each);
  }
  return [...newest.values(), ...rows.filter(({ date }) => dayNumber(date) >= before)];
}

export type Asked = Partial<ResolvedRequest> & Pick<ResolvedRequest, 'base' | 'when'>;

/** A request with what clients may leave out. */
function requestOf(asked: Asked): ResolvedRequest {
  return {
    quotes: undefined,
    providers: undefined,
    side: undefined,
    expand: [],
    receipt: false,
    precision: 'display',
    asOf: undefined,
    updatedAfter: undefined,
    ...asked,
  };
}

/** The rows of a request. */
export async function askRaw(
  rows: readonly KnownRow[],
  asked: Asked,
  { tomorrow = TOMORROW, ...source }: Source & { tomorrow?: number } = {},
  who: Reader = reader,
): Promise<RateRows> {
  const request = requestOf(asked);
  const context = { raw: storeOf(rows, source), snapshot: snapshotOf(rows), tomorrow };
  return sourceOn(context, request.providers).rows(request, who);
}

/** The rows of a request, by date. */
export async function rowsFor(...asked: Parameters<typeof askRaw>): Promise<DatedRows[]> {
  return rowsByDate((await askRaw(...asked)).rows);
}

/** Looks up pairs in the rates of some providers, or of all. */
export async function lookUpsOf(
  context: Parameters<typeof sourceOn>[0],
  { providers, days }: { providers: readonly string[] | undefined; days: LookUpDays },
  who: Reader = reader,
): Promise<LookUps & Pick<KnownRates, 'columnsFor'>> {
  const rates = await sourceOn(context, providers).ratesOn(days, who);
  return { ...lookUpsIn(rates, context.tomorrow, providers), columnsFor: rates.columnsFor };
}
