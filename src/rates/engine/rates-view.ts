import { lastDayUpTo } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { currencyOf, isMinorUnit, minorUnitsAmong, rateBetween } from '../../../core/domain/currencies.js';
import { type Clock, type DayWindow, dayNumber, periodsOf, todayNumber } from '../../../core/domain/dates.js';
import { onOrBefore } from '../../../core/domain/day-pick.js';
import { parameterError, StillLoading } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import type { PastSnapshots } from '../history/past-snapshots.js';
import type { KnownVersion, Versions } from '../history/versions.js';
import { meanRows, withStats } from '../snapshot/period-rows.js';
import { type DatedRows, mapRows, type PlainRows, type RateRows, type Row } from '../snapshot/row.js';
import { daysNeeded, pegsOn, plainRows, type RowsRequest, withCarried } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { type OfficialRates, officialRowsBetween, pickedOfficialRows } from '../sources/official.js';
import type { ProviderRates } from '../sources/provider-rates.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import { blendSources, ownSource, withSides, withSources } from '../sources/row-sources.js';
import { sharesOf } from '../sources/shares.js';
import {
  type RateSource,
  rowsFromRaw,
  type SourceContext,
  type SourceOf,
  subsetSource,
} from './rate-source.js';
import { clockAt, needsSources, type Question, type ResolvedRequest } from './request.js';

/** The rates as known now, or at an instant in the past. */
export interface RatesView {
  /** The name of the data version that was the newest one. The same question with the same name has the same response. */
  name: string;
  /** The instant of the data version, in milliseconds since 1970. */
  knownAt: number;
  /** The present day number, or that of the past instant. */
  today: number;
  current: Snapshot;
  /** The data version of an instant in the past; undefined for the present. */
  readonly known: KnownVersion | undefined;
  readonly sourceOf: SourceOf;
  /** The newest day with rates of any provider, up to tomorrow. */
  newestDay(reader: Reader): number | undefined | Promise<number | undefined>;
}

export interface RatesViewDependencies {
  raw: RawStore;
  versions: Versions;
  pastSnapshots: PastSnapshots;
  clock: Clock;
}

/** The data version that was the newest one at an instant. It is plain data. */
export type PastKnown = Readonly<Pick<RatesView, 'name' | 'knownAt' | 'today'>>;

/** `instant` is in milliseconds since 1970. Throws an HttpError 422 for the future, and the errors of `Versions`. */
// The newest snapshot is used, so that a request about two instants uses one snapshot for both.
export async function versionAt(
  { versions, clock }: Pick<RatesViewDependencies, 'versions' | 'clock'>,
  current: Snapshot,
  { instant, parameter }: { instant: number; parameter: string },
): Promise<PastKnown> {
  if (instant > clock().getTime() && instant > current.knownAt) {
    const message = `${parameter} is in the future: leave it out, or use one before ${clock().toISOString()}`;
    throw parameterError(422, parameter, message);
  }
  const { version: name, knownAt } = (await versions.at(current, instant)).snapshot;
  return { name, knownAt, today: todayNumber(clockAt(instant, clock)) };
}

type ViewContext = Pick<RatesContext, 'raw' | 'versions' | 'pastSnapshots' | 'snapshot'>;

/** Returns the view of a data version, looked up in the newest snapshot. Throws the errors of `Versions`. */
export async function viewOf(context: ViewContext, { knownAt, today }: PastKnown): Promise<RatesView> {
  return openView(context, today, await context.versions.at(context.snapshot, knownAt));
}

/** Opens the view of a past data version, by default of the newest one. */
function openView(
  { raw, pastSnapshots, snapshot: current }: ViewContext,
  today: number,
  known?: KnownVersion,
): RatesView {
  const tomorrow = today + 1;
  const snapshot = !known || known.snapshot.version === current.version ? current : known.snapshot;
  const context = { raw, snapshot, tomorrow };
  return {
    name: snapshot.version,
    knownAt: snapshot.knownAt,
    today,
    current,
    known,
    newestDay: (reader) =>
      known ? pastSnapshots.newestDay(known, tomorrow, reader) : lastDayUpTo(snapshot.days.days, tomorrow),
    sourceOf: (providers, side) =>
      known && !providers
        ? pastBlend({ known, pastSnapshots, ...context })
        : sourceOn(context, providers, side),
  };
}

/** Selects the source of the rates of some providers, or of the blend of all. No other code makes this choice. */
export function sourceOn(
  context: SourceContext,
  providers: readonly string[] | undefined,
  side?: ResolvedRequest['side'],
): RateSource {
  const [only, ...others] = providers ?? [];
  if (!providers || only === undefined) return blendSource(context);
  return others.length === 0 ? providerSource(context, only, side) : subsetSource(context, providers);
}

interface PastContext extends SourceContext, Pick<RatesViewDependencies, 'pastSnapshots'> {
  known: KnownVersion;
}

/** The blend of all providers at a past version, whose snapshot has only the requested days. */
function pastBlend({ raw, snapshot, tomorrow, known, pastSnapshots }: PastContext): RateSource {
  const newestDay = (reader: Reader) => pastSnapshots.newestDay(known, tomorrow, reader);
  async function blendOn(
    days: DayWindow | undefined,
    currencies: readonly string[] | undefined,
    reader: Reader,
  ): Promise<RateSource> {
    const needsDays = snapshot.past && days;
    const past = needsDays ? await pastSnapshots.of(known, reader, { days, currencies }) : snapshot;
    return blendSource({ raw, snapshot: past, tomorrow });
  }
  return {
    async rows(request, reader) {
      const { base, quotes, when } = request;
      const newest = await newestDay(reader);
      // The row of the base depends on all currencies.
      const currencies = quotes?.includes(base) ? undefined : quotes && [...quotes, base];
      const blend = await blendOn(daysNeeded(when, newest), currencies, reader);
      return { ...(await blend.rows(request, reader)), newest };
    },
    async ratesOn(days, reader) {
      const to = days.to ?? (await newestDay(reader)) ?? days.from;
      const first = Math.min(days.from ?? Number.POSITIVE_INFINITY, (to ?? 0) - WINDOW_DAYS);
      const window = to === undefined ? undefined : withCarried({ from: first, to });
      const blend = await blendOn(window, days.currencies, reader);
      // This includes the newest version: its response must stay the same when a newer one comes.
      return { ...(await blend.ratesOn(days, reader)), isPartial: true };
    },
  };
}

export interface RatesContext extends RatesViewDependencies {
  /** The data version that the request was resolved with. */
  snapshot: Snapshot;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface RatesInput<Layout extends object = object> extends Question<Layout> {
  /** Day number of the present. It must stay the same while a request is handled. */
  readonly today: number;
  readonly past?: PastKnown | undefined;
}

/** Does not wait if rates are in memory. Throws the client's HttpError, and the errors of the raw store. */
export type MakeFromRates<Input extends RatesInput, From extends RatesContext = RatesContext> = (
  input: Input,
  view: RatesView,
  context: From,
) => Content | Promise<Content>;

/** Adapts a maker that also gets the view at the instant of the request to one that gets only the input of a task. */
export function fromRates<Input extends RatesInput, From extends RatesContext>(
  make: MakeFromRates<Input, From>,
): (input: Input, context: From) => Content | Promise<Content> {
  return (input, context) => {
    const { past, today } = input;
    if (!past) return make(input, openView(context, today), context);
    return viewOf(context, past).then((view) => make(input, view, context));
  };
}

/** Applies a function to a result once it is there. */
export function whenFound<From, To>(
  found: From | Promise<From>,
  use: (found: From) => To | Promise<To>,
): To | Promise<To> {
  return found instanceof Promise ? found.then(use) : use(found);
}

export function namesMinorUnit({ base, quotes }: Pick<ResolvedRequest, 'base' | 'quotes'>): boolean {
  return isMinorUnit(base) || quotes?.some(isMinorUnit) === true;
}

/** The rows of a request, without waiting if they are in memory. Rows of minor units are those of their currencies, priced. */
export function rowsOf(
  { sourceOf }: { sourceOf: SourceOf },
  request: ResolvedRequest,
  reader: Reader,
): RateRows | Promise<RateRows> {
  const source = sourceOf(request.providers, request.side);
  if (!namesMinorUnit(request)) return source.rows(request, reader);
  const quotes = request.quotes && [...new Set(request.quotes.map(currencyOf))].sort();
  const inCurrencies = { ...request, base: currencyOf(request.base), quotes };
  return whenFound(source.rows(inCurrencies, reader), (found) =>
    mapRows(found, (dated) => pricedRows(dated, request)),
  );
}

function pricedRows({ day, rows }: DatedRows, { base, quotes }: ResolvedRequest): DatedRows {
  const byCurrency = new Map(rows.map((row) => [row.quote, row]));
  const codes = quotes ?? [...byCurrency.keys(), base].sort();
  return {
    day,
    rows: codes.flatMap((code) => {
      const row = byCurrency.get(currencyOf(code));
      return row ? [pricedRow(row, base, code)] : [];
    }),
  };
}

function pricedRow(row: Row, base: string, quote: string): Row {
  const minorUnits = minorUnitsAmong([base, quote]);
  if (!minorUnits) return row;
  const priced = <T extends { rate: number }>(one: T): T => ({
    ...one,
    rate: rateBetween(base, quote, one.rate),
  });
  return { ...priced(row), quote, minorUnits, sources: row.sources?.map(priced) };
}

const RETRY_AFTER_SECONDS = '5';

/** Throws an HttpError 503 if rates from a day on (day number) are needed, and not all of them are loaded yet. */
export function requireLoaded({ loadedFrom }: Pick<Snapshot, 'loadedFrom'>, from: number): void {
  if (loadedFrom === undefined || from >= dayNumber(loadedFrom)) return;
  throw new StillLoading(503, `rates before ${loadedFrom} are still being loaded`, {
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
}

/** The blend of all providers, with pegs applied: from a snapshot, or from raw rows if the request expands sources. */
function blendSource(context: SourceContext): RateSource {
  const { raw, snapshot, tomorrow } = context;
  const { days } = snapshot;
  return {
    rows(request, reader) {
      if (!needsSources(request.expand)) return plainRows(snapshot, request, tomorrow);
      if (request.when.form !== 'newest' || snapshot.past)
        return rowsFromRaw({ ...context, request, reader });
      const asOf = lastDayUpTo(days.days, tomorrow) ?? tomorrow;
      const shares = raw.cachedShares(snapshot, asOf) ?? raw.newestShares(snapshot, asOf, reader);
      return whenFound(shares, (found) => {
        const plain = plainRows(snapshot, request, tomorrow);
        const sources = blendSources((day, quote) => sharesOf(found, day, quote), days, request);
        return mapRows(plain, withSources(sources, request, plain.newest));
      });
    },
    ratesOn: async () => ({
      snapshot,
      days: days.days,
      columnsFor: () => days,
      ownFor: (base) => pegsOn(base, days.days),
    }),
  };
}

/** One provider's own rates, crossed within its own data, or one side of them: no blend, no pegs. */
function providerSource(
  { raw, snapshot, tomorrow }: SourceContext,
  key: string,
  side: ResolvedRequest['side'],
): RateSource {
  const ratesOf = (reader: Reader, of = side) =>
    raw.cachedOfProvider(snapshot, key, of) ?? raw.ofProvider(snapshot, key, reader, of);

  async function sidedRows(found: RateRows, request: ResolvedRequest, reader: Reader): Promise<RateRows> {
    const sides = { buy: await ratesOf(reader, 'buy'), sell: await ratesOf(reader, 'sell') };
    return { ...mapRows(found, withSides(sides, request)), estimate: undefined };
  }

  function rowsIn(rates: ProviderRates, request: ResolvedRequest): RateRows {
    const { official } = rates;
    const found = official
      ? officialRows(official, request, tomorrow)
      : providerRows(rates, request, tomorrow);
    if (!needsSources(request.expand)) return found;
    // The estimate is dropped, as rows with sources are much longer than it assumes.
    return { ...mapRows(found, withSources(ownSource(key), request, found.newest)), estimate: undefined };
  }
  return {
    rows: (request, reader) =>
      whenFound(ratesOf(reader), (rates) => {
        const found = rowsIn(rates, request);
        return request.expand.includes('sides') ? sidedRows(found, request, reader) : found;
      }),
    ratesOn: async (_days, reader) => ({
      ...(await ratesOf(reader)),
      snapshot,
      none: side && `${key} publishes no ${side}ing rate of this pair`,
    }),
  };
}

/** With `group`, rows are means of its own rows. Rates dated from `tomorrow` (day number) are not the newest yet. */
export function providerRows(
  rates: ProviderRates,
  request: RowsRequest,
  tomorrow: number,
): RateRows<PlainRows> {
  const { base, when } = request;
  const columns = { days: rates.columnsFor(base), allDays: rates.days };
  const daily = (when: RowsRequest['when']) => {
    const plain = plainRows(columns, { own: rates.ownFor(base), ...request, when }, tomorrow);
    return { ...plain, rows: rates.markSuspects(plain.rows, base) };
  };
  if (when.form !== 'range' || when.period === 'day') return daily(when);
  const periods = periodsOf(when.period, when);
  const whole = { from: periods.firstDayOf(when.from), to: periods.lastDayOf(when.to) };
  const { rows, estimate } = daily({ ...when, ...whole, period: 'day' });
  const means = meanRows(rows, periods);
  if (!when.stats) return { rows: means, estimate };
  return { rows: withStats(means, daily({ ...when, period: 'day' }).rows, when), estimate };
}

/** The official rates for the picked day, for today by default, or for the days of a range. */
function officialRows(rates: OfficialRates, request: ResolvedRequest, tomorrow: number): RateRows {
  const { when } = request;
  if (when.form === 'range') return { rows: officialRowsBetween(rates, request, when) };
  const picked = when.form === 'date' ? when : onOrBefore(tomorrow - 1);
  const newest = rates.table.days.length > 0 ? picked.day : undefined;
  return { rows: pickedOfficialRows(rates, request, picked), newest };
}
