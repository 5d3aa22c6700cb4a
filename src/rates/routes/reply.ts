import type { EventLoop } from '../../../core/concurrency/event-loop.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import type { HeaderList } from '../../http/header-list.js';
import { type Format, CONTENT_TYPES as RECORD_TYPES } from '../../http/record-formats.js';
import type { Content, DeferredReply, Reply } from '../../http/reply.js';
import { type CachePolicy, CLOSED, moving, PAST } from '../../http/representation.js';
import type { Cache } from '../../shared-cache.js';
import type { Detail } from '../encoding/details.js';
import { type EncodeOptions, encodeChunks, encodeWhole } from '../encoding/row-encoder.js';
import type { PastSnapshots } from '../history/past-snapshots.js';
import type { Versions } from '../history/versions.js';
import type { MakeReceipt } from '../receipts/receipts.js';
import type { DatedRows, PlainRows } from '../snapshot/row.js';
import { plainRows } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.js';
import type { RawStore, Reader } from '../sources/raw-store.js';
import { pastBefore, rowsChanged } from './changes.js';
import { METHOD_HEADERS, ratesTag } from './method.js';
import { pastAt } from './past.js';
import {
  newestFromCache,
  ownFromCache,
  ownPlainRows,
  type RawRows,
  rawRows,
  readsUncached,
} from './raw-rows.js';
import { clockAt, isClosed, isOfficial, isPlain, keyOf, type RatesRequest } from './request.js';
import { openSharedBodies, type SharedBodies, type WholeBody } from './shared-bodies.js';
import { wholeIfShort } from './whole-if-short.js';
import { replyOfSnapshot, requireSnapshot, withSnapshot } from './with-snapshot.js';

/** The `content-type` of each format, and of a bare rate. */
export const CONTENT_TYPES: Record<Format | 'text', string> = {
  ...RECORD_TYPES,
  text: 'text/plain; charset=utf-8',
};

/** The dependencies of the rates routes. */
export interface RatesDependencies {
  /** The blended rates, in memory. */
  snapshot: Pick<SnapshotHolder, 'current' | 'catchUp'>;
  raw: RawStore;
  /** What was known in the past. */
  versions: Versions;
  pastSnapshots: PastSnapshots;
  receipts: MakeReceipt;
  cache: Pick<Cache, 'get' | 'set'>;
  clock: Clock;
  eventLoop: EventLoop;
}

/** The layout of a reply. */
interface Layout {
  /** `text`: the rate of a single row alone. */
  format: Format | 'text';
  /** One row instead of a list; a 404 if there is none. */
  single: boolean;
  /** Whether CSV begins with the names of its columns. */
  header: boolean;
}

interface Asked {
  request: RatesRequest;
  layout: Layout;
  reader: Reader;
}

type ReplyTo = (
  request: RatesRequest,
  layout: Layout,
  reader: Reader,
) => DeferredReply | Promise<DeferredReply>;

/** Bodies of more rows than this, about a megabyte, are streamed. */
const MOST_ROWS_IN_MEMORY = 16_000;
const VARY = ['accept'];

/** The input of a body. Days are day numbers. */
interface RenderContext {
  request: RatesRequest;
  layout: Layout;
  snapshot: Snapshot;
  validity: CachePolicy & { tag: string };
  tomorrow: number;
}

/**
 * Makes replies with rates. The snapshot, the request and the layout determine the body, so that the entity tag is
 * known before the body is computed. RenderContext a reply throws an HttpError 503 while no rates are loaded, or if raw rows
 * can't be read.
 */
export function createRatesReply(dependencies: RatesDependencies): ReplyTo {
  const { snapshot: holder, raw, clock, eventLoop } = dependencies;
  const sharedBodies = openSharedBodies(dependencies.cache);

  function begin(request: RatesRequest, layout: Layout, snapshot = requireSnapshot(holder)): RenderContext {
    const today = todayNumber(clock);
    return {
      request,
      layout,
      snapshot,
      validity: validityOf(request, layout, snapshot, today),
      tomorrow: today + 1,
    };
  }

  function validityOf(request: RatesRequest, layout: Layout, { version }: Snapshot, today: number) {
    const closed = isClosed(request, today);
    const { format, single, header } = layout;
    return {
      tag: ratesTag(version, keyOf(request), format, String([single, header]), closed ? '' : today),
      cacheControl: closed ? CLOSED : () => moving(clock),
      vary: VARY,
    };
  }

  function makeFromRaw({ request, layout }: RenderContext, reader: Reader): Promise<Reply> {
    return withSnapshot(holder, async (snapshot) => {
      const making = begin(request, layout, snapshot);
      return replyOf(making, await rawContent(making, { raw, sharedBodies, eventLoop }, reader));
    });
  }

  /** The reply to a request with an instant. */
  async function beginPast(
    current: Snapshot,
    { request, layout, reader, asOf }: Asked & { asOf: number },
  ): Promise<DeferredReply> {
    const past = await pastAt(dependencies, current, { instant: asOf, parameter: 'as_of' });
    const day = todayNumber(clockAt(asOf, clock));
    const { format, single, header } = layout;
    const parts = [past.known.change.name, day, keyOf(request), format, String([single, header])];
    const validity = { tag: ratesTag('as of', ...parts), cacheControl: PAST, vary: VARY };
    const dataVersion = current.version;
    async function make(): Promise<Reply> {
      const snapshot = await past.snapshotFor(request, reader);
      const making = { request, layout, snapshot, validity, tomorrow: day + 1 };
      const content = isPlain(request)
        ? plainContent(making)
        : await rawContent(making, { raw, sharedBodies, eventLoop }, reader);
      const newest = request.providers ? undefined : await past.newestDay(reader);
      const known = newest === undefined ? content.headers : asOfHeader(newest);
      const headers = [...METHOD_HEADERS, ...(known ?? [])];
      return { validity, dataVersion, content: { ...content, headers } };
    }
    return { validity, dataVersion, make };
  }

  /** The reply with the rows that have changed since an instant. */
  async function beginChanges(
    current: Snapshot,
    { request, layout, reader, after }: Asked & { after: number },
  ): Promise<DeferredReply> {
    const { asOf } = request;
    const past =
      asOf === undefined
        ? undefined
        : await pastAt(dependencies, current, { instant: asOf, parameter: 'as_of' });
    const before = await pastBefore(dependencies, current, after);
    const today = todayNumber(clockAt(asOf, clock));
    const { format, header } = layout;
    const since = [before?.known.change.name ?? '', todayNumber(clockAt(after, clock))];
    const version = past?.known.change.name ?? current.version;
    const parts = [version, today, ...since, keyOf(request), format, String(header)];
    const validity = {
      tag: ratesTag('changes', ...parts),
      cacheControl: past ? PAST : () => moving(clock),
      vary: VARY,
    };
    const knownAt = new Date(past?.known.change.at ?? current.knownAt).toISOString();
    async function make(): Promise<Reply> {
      const options = encodeOptions({ request, layout });
      const shown = (dated: DatedRows) =>
        String(encodeWhole([dated], { ...options, format: 'ndjson', single: false })).split('\n');
      const present = {
        tomorrow: today + 1,
        snapshotFor: async (asked: RatesRequest) => past?.snapshotFor(asked, reader) ?? current,
      };
      const rows = await rowsChanged({ raw, clock, shown, reader }, request, { present, before });
      const body = await wholeIfShort(encodeChunks(rows, options));
      const headers = ['x-known-at', knownAt, ...(past ? METHOD_HEADERS : [])];
      return { validity, content: { type: CONTENT_TYPES[format], body, headers } };
    }
    return { validity, make };
  }

  return (request, layout, reader) => {
    const { asOf } = request;
    const after = request.updatedAfter?.instant;
    const asked = { request, layout, reader };
    if (after !== undefined)
      return replyOfSnapshot(holder, (current) => beginChanges(current, { ...asked, after }));
    if (asOf !== undefined)
      return replyOfSnapshot(holder, (current) => beginPast(current, { ...asked, asOf }));
    const making = begin(request, layout);
    return {
      validity: making.validity,
      dataVersion: making.snapshot.version,
      make() {
        const content = isPlain(request) ? plainContent(making) : cachedContent(making, raw, reader);
        return content ? replyOf(making, content) : makeFromRaw(making, reader);
      },
    };
  };
}

function replyOf({ validity, snapshot }: RenderContext, content: Content): Reply {
  return { validity, dataVersion: snapshot.version, content };
}

function plainContent(making: RenderContext): Content {
  const { snapshot, request, tomorrow } = making;
  return contentOf(making, plainRows(snapshot, request, tomorrow));
}

/** One provider's rates, or the newest rates with their sources, where these are in memory; else undefined. */
function cachedContent(making: RenderContext, raw: RawStore, reader: Reader): Content | undefined {
  const { snapshot, request, tomorrow } = making;
  const context = { raw, snapshot, request, tomorrow, reader };
  const own = ownFromCache(context);
  if (own) return contentOf(making, own);
  const newest = newestFromCache(context);
  return newest && whole(making, { body: encode(making, newest.rows), asOf: newest.asOf });
}

function contentOf(
  making: RenderContext,
  {
    rows,
    estimate,
    asOf,
  }: { rows: PlainRows | Iterable<DatedRows>; estimate: number; asOf?: number | undefined },
): Content {
  if (estimate > MOST_ROWS_IN_MEMORY) return streamed(making, rows);
  return whole(making, { body: encode(making, rows), asOf });
}

interface RawSources {
  raw: RawStore;
  sharedBodies: SharedBodies;
  eventLoop: EventLoop;
}

async function rawContent(
  making: RenderContext,
  { raw, sharedBodies, eventLoop }: RawSources,
  reader: Reader,
): Promise<Content> {
  const { request, layout, snapshot, tomorrow, validity } = making;
  const context = { raw, snapshot, request, tomorrow, reader };
  const own = await ownPlainRows(context);
  if (own) return contentOf(making, own);
  if (request.when.form === 'range') {
    const { rows } = await rawRows(context);
    const chunks = encodeChunks(rows, encodeOptions(making));
    return { type: CONTENT_TYPES[layout.format], body: await wholeIfShort(chunks) };
  }
  if (!readsUncached(request)) return whole(making, await collect(making, await rawRows(context)));
  const { client, waitBudget } = reader;
  const body = await sharedBodies.get(
    validity.tag,
    async (signal) => {
      const shared = { client, signal, yieldNow: eventLoop.createYielder(client, signal), waitBudget };
      return collect(making, await rawRows({ ...context, reader: shared }));
    },
    reader.signal,
  );
  return whole(making, body);
}

function streamed(making: RenderContext, rows: PlainRows | Iterable<DatedRows>): Content {
  return { type: CONTENT_TYPES[making.layout.format], body: encodeChunks(rows, encodeOptions(making)) };
}

function whole({ layout }: RenderContext, { body, asOf }: WholeBody): Content {
  return { type: CONTENT_TYPES[layout.format], body, headers: asOfHeader(asOf) };
}

function asOfHeader(day: number | undefined): HeaderList {
  return day === undefined ? [] : ['x-rates-as-of', fromDayNumber(day)];
}

async function collect(making: RenderContext, { rows, asOf }: RawRows): Promise<WholeBody> {
  const dates: DatedRows[] = [];
  for await (const dated of rows) dates.push(dated);
  return { body: encode(making, dates), asOf };
}

/** Throws a 404 if a single row is requested and there is none. */
function encode(making: RenderContext, rows: PlainRows | Iterable<DatedRows>): Buffer | string {
  const body = encodeWhole(rows, encodeOptions(making));
  const { base, quotes } = making.request;
  if (!body) throw new HttpError(404, `no rate for ${base}/${quotes?.[0]}`);
  return making.layout.format === 'text' ? String(JSON.parse(String(body)).rate) : body;
}

function encodeOptions({
  request,
  layout: { format, single, header },
}: Pick<RenderContext, 'request' | 'layout'>): EncodeOptions {
  const { base, expand, precision, when } = request;
  const isFilled = when.form === 'range' && when.fillDays !== undefined;
  const details: Detail[] = [...expand];
  if (isOfficial(request)) details.push('validity');
  if (isFilled) details.push('observed');
  return { format: format === 'text' ? 'json' : format, base, details, single, precision, header };
}
