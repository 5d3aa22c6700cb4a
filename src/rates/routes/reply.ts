import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventLoop } from '../../../core/concurrency/event-loop.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { HttpError } from '../../http/errors.js';
import { type Content, type DeferredReply, JSON_TYPE, type Reply } from '../../http/reply.js';
import { CLOSED, entityTag, moving, negotiateMediaType, type Validity } from '../../http/representation.js';
import type { Cache } from '../../shared-cache.js';
import {
  type Detail,
  type EncodeOptions,
  encodeChunks,
  encodeWhole,
  FORMATS,
  type Format,
} from '../encoding/row-encoder.js';
import type { RawStore, Reader } from '../raw/raw-store.js';
import type { DatedRows, PlainRows } from '../snapshot/row.js';
import { datedRows, plainRows } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { SnapshotHolder } from '../snapshot/snapshot-holder.js';
import { type RawRows, rawRows, readsUncached } from './raw-rows.js';
import { isClosed, isOfficial, isPlain, keyOf, type RatesRequest, statsOf } from './request.js';
import { openSharedBodies, type SharedBodies, type WholeBody } from './shared-bodies.js';
import { wholeIfShort } from './whole-if-short.js';
import { requireSnapshot, withSnapshot } from './with-snapshot.js';

/** The `content-type` of each format. */
export const CONTENT_TYPES: Record<Format | 'text', string> = {
  text: 'text/plain; charset=utf-8',
  json: JSON_TYPE,
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const OFFERED = FORMATS.map((format) => CONTENT_TYPES[format]);

/** The format that the client prefers; JSON by default and if it accepts none. */
export function formatFor(accept: string | undefined): Format {
  const type = negotiateMediaType(accept, OFFERED);
  return FORMATS.find((format) => CONTENT_TYPES[format] === type) ?? 'json';
}

/** The dependencies of the rates routes. */
export interface RatesDependencies {
  /** The blended rates, in memory. */
  snapshot: Pick<SnapshotHolder, 'current' | 'catchUp'>;
  raw: RawStore;
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

type ReplyTo = (request: RatesRequest, layout: Layout, reader: Reader) => DeferredReply;

/** Bodies of more rows than this, about a megabyte, are streamed. */
const MOST_ROWS_IN_MEMORY = 16_000;
const VARY = ['accept'];

const software: string = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version;

/** The input of a body. Days are day numbers. */
interface Making {
  request: RatesRequest;
  layout: Layout;
  snapshot: Snapshot;
  validity: Validity & { tag: string };
  tomorrow: number;
}

/**
 * Makes replies with rates. The snapshot, the request and the layout determine the body, so that the entity tag is
 * known before the body is computed. Making a reply throws an HttpError 503 while no rates are loaded, or if raw rows
 * can't be read.
 */
export function createRatesReply(dependencies: RatesDependencies): ReplyTo {
  const { snapshot: holder, raw, clock, eventLoop } = dependencies;
  const sharedBodies = openSharedBodies(dependencies.cache);

  function begin(request: RatesRequest, layout: Layout, snapshot = requireSnapshot(holder)): Making {
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
      tag: entityTag(
        software,
        version,
        keyOf(request),
        format,
        String([single, header]),
        closed ? '' : today,
      ),
      cacheControl: closed ? CLOSED : () => moving(clock),
      vary: VARY,
    };
  }

  function makeFromRaw({ request, layout }: Making, reader: Reader): Promise<Reply> {
    return withSnapshot(holder, async (snapshot) => {
      const making = begin(request, layout, snapshot);
      return replyOf(making, await rawContent(making, { raw, sharedBodies, eventLoop }, reader));
    });
  }

  return (request, layout, reader) => {
    const making = begin(request, layout);
    return {
      validity: making.validity,
      dataVersion: making.snapshot.version,
      make: () => (isPlain(request) ? replyOf(making, plainContent(making)) : makeFromRaw(making, reader)),
    };
  };
}

function replyOf({ validity, snapshot }: Making, content: Content): Reply {
  return { validity, dataVersion: snapshot.version, content };
}

function plainContent(making: Making): Content {
  const { snapshot, request, tomorrow } = making;
  const plain = plainRows(snapshot, request, tomorrow);
  const stats = statsOf(request);
  const rows = stats ? datedRows(snapshot, request, plain.rows, { tomorrow, stats }) : plain.rows;
  if (plain.estimate > MOST_ROWS_IN_MEMORY) return streamed(making, rows);
  return whole(making, { body: encode(making, rows), asOf: plain.asOf });
}

interface RawSources {
  raw: RawStore;
  sharedBodies: SharedBodies;
  eventLoop: EventLoop;
}

async function rawContent(
  making: Making,
  { raw, sharedBodies, eventLoop }: RawSources,
  reader: Reader,
): Promise<Content> {
  const { request, layout, snapshot, tomorrow, validity } = making;
  const context = { raw, snapshot, request, tomorrow, reader };
  if (request.when.form === 'range') {
    const { rows } = await rawRows(context);
    const chunks = encodeChunks(rows, encodeOptions(making));
    return { type: CONTENT_TYPES[layout.format], body: await wholeIfShort(chunks) };
  }
  if (!readsUncached(request)) return whole(making, await collect(making, await rawRows(context)));
  const { client, patience } = reader;
  const body = await sharedBodies.get(
    validity.tag,
    async (signal) => {
      const shared = { client, signal, yieldNow: eventLoop.createYielder(client, signal), patience };
      return collect(making, await rawRows({ ...context, reader: shared }));
    },
    reader.signal,
  );
  return whole(making, body);
}

function streamed(making: Making, rows: PlainRows | Iterable<DatedRows>): Content {
  return { type: CONTENT_TYPES[making.layout.format], body: encodeChunks(rows, encodeOptions(making)) };
}

function whole({ layout }: Making, { body, asOf }: WholeBody): Content {
  const headers = asOf === undefined ? [] : ['x-rates-as-of', fromDayNumber(asOf)];
  return { type: CONTENT_TYPES[layout.format], body, headers };
}

async function collect(making: Making, { rows, asOf }: RawRows): Promise<WholeBody> {
  const dates: DatedRows[] = [];
  for await (const dated of rows) dates.push(dated);
  return { body: encode(making, dates), asOf };
}

/** Throws a 404 if a single row is requested and there is none. */
function encode(making: Making, rows: PlainRows | Iterable<DatedRows>): Buffer {
  const body = encodeWhole(rows, encodeOptions(making));
  const { base, quotes } = making.request;
  if (!body) throw new HttpError(404, `no rate for ${base}/${quotes?.[0]}`);
  return making.layout.format === 'text' ? Buffer.from(String(JSON.parse(String(body)).rate)) : body;
}

function encodeOptions({ request, layout: { format, single, header } }: Making): EncodeOptions {
  const { base, expand, precision, when } = request;
  const isFilled = when.form === 'range' && when.fillDays !== undefined;
  const details: Detail[] = [...expand];
  if (isOfficial(request)) details.push('validity');
  if (isFilled) details.push('observed');
  return { format: format === 'text' ? 'json' : format, base, details, single, precision, header };
}
