import { currencyOf, isMinorUnit, minorUnitsAmong, rateBetween } from '../../../core/domain/currencies.js';
import { type Clock, dayNumber, todayNumber } from '../../../core/domain/dates.js';
import { parameterError, StillLoading } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import type { PastSnapshots } from '../history/past-snapshots.js';
import type { KnownVersion, Versions } from '../history/versions.js';
import { type DatedRows, mapRows, type RateRows, type Row } from '../snapshot/row.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import { newestDayOf, type RateSource, sourceOn } from './rate-source.js';
import { clockAt, type Question, type ResolvedRequest } from './request.js';

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
  /** Selects the source of the rates of some providers, or of the blend of all. */
  sourceOf(providers: readonly string[] | undefined, side?: ResolvedRequest['side']): RateSource;
  /** The newest day with rates of any provider, up to tomorrow. */
  newestDay(reader: Reader): Promise<number | undefined>;
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

/** Returns the view of a data version, looked up in the newest snapshot. Throws the errors of `Versions`. */
export async function viewOf(context: RatesContext, { knownAt, today }: PastKnown): Promise<RatesView> {
  return openView(context, today, await context.versions.at(context.snapshot, knownAt));
}

/** Opens the view of a past data version, by default of the newest one. */
function openView(
  { raw, pastSnapshots, snapshot: current }: RatesContext,
  today: number,
  known?: KnownVersion,
): RatesView {
  const snapshot = !known || known.snapshot.version === current.version ? current : known.snapshot;
  const past = known && { known, snapshots: pastSnapshots };
  const context = { raw, snapshot, tomorrow: today + 1, past };
  return {
    name: snapshot.version,
    knownAt: snapshot.knownAt,
    today,
    current,
    known,
    newestDay: (reader) => newestDayOf(context, reader),
    sourceOf: (providers, side) => sourceOn(context, providers, side),
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

/** Throws the client's HttpError, and the errors of the raw store. */
export type MakeFromRates<Input extends RatesInput, From extends RatesContext = RatesContext> = (
  input: Input,
  view: RatesView,
  context: From,
) => Promise<Content>;

/** Adapts a maker that also gets the view at the instant of the request to one that gets only the input of a task. */
export function fromRates<Input extends RatesInput, From extends RatesContext>(
  make: MakeFromRates<Input, From>,
): (input: Input, context: From) => Promise<Content> {
  return (input, context) => {
    const { past, today } = input;
    if (!past) return make(input, openView(context, today), context);
    return viewOf(context, past).then((view) => make(input, view, context));
  };
}

export function namesMinorUnit({ base, quotes }: Pick<ResolvedRequest, 'base' | 'quotes'>): boolean {
  return isMinorUnit(base) || quotes?.some(isMinorUnit) === true;
}

/** The rows of a request. Rows of minor units are those of their currencies, priced. */
export function rowsOf(
  { sourceOf }: Pick<RatesView, 'sourceOf'>,
  request: ResolvedRequest,
  reader: Reader,
): Promise<RateRows> {
  const source = sourceOf(request.providers, request.side);
  if (!namesMinorUnit(request)) return source.rows(request, reader);
  const quotes = request.quotes && [...new Set(request.quotes.map(currencyOf))].sort();
  const inCurrencies = { ...request, base: currencyOf(request.base), quotes };
  return source
    .rows(inCurrencies, reader)
    .then((found) => mapRows(found, (dated) => pricedRows(dated, request)));
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
