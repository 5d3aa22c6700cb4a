import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { projectFolder } from '../../core/data-files.js';
import { fromDayNumber } from '../../core/dates.js';
import type { AppContext } from '../context.js';
import { encodeBody, SMALLEST_CODED, sendBody } from '../http/bodies.js';
import { CLOSED, moving } from '../http/cache-control.js';
import { answeredNotModified, entityTag, setValidity, type Validity } from '../http/conditional.js';
import { HttpError } from '../http/errors.js';
import { type Encoding, negotiateEncoding } from '../http/negotiation.js';
import { type RowsAnswer, withRows } from './answer-rows.js';
import { asUnavailable } from './away.js';
import { type DearBodies, openDearBodies } from './dear-bodies.js';
import { epochOf, lastingHeaders } from './hot-bodies.js';
import { openRawStore, type RawStore, SnapshotOutdated } from './raw-store.js';
import { isClosed, keyOf, type RatesRequest } from './request.js';
import { type EncodeOptions, encodeChunks, encodeWhole, type Format } from './row-bytes.js';
import type { DatedRows } from './rows.js';
import type { Snapshot } from './snapshot.js';
import { streamBody } from './stream-body.js';

export type RatesContext = Pick<AppContext, 'snapshot' | 'database' | 'cache' | 'clock'> &
  Partial<Pick<AppContext, 'hot'>>;

/** How an answer is laid out. */
export interface Layout {
  format: Format;
  contentType: string;
  /** One row and not a list of them; a 404 where there is none. */
  single: boolean;
  /** The template of the route, for who counts. */
  route: string;
}

/** Answers a request for rates. */
export type AnswerRates = (
  request: IncomingMessage,
  response: ServerResponse,
  wanted: RatesRequest,
  layout: Layout,
) => Promise<void>;

/** A body that was made whole, and what the answer says besides. */
export interface Finished {
  body: Buffer;
  asOf: number | undefined;
}

const DAY_MS = 86_400_000;
/** Answers of more rows than this are streamed: some megabyte. */
const MOST_ROWS_IN_MEMORY = 16_000;
const ATTEMPTS = 5;

const software: string = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version;

/** Makes the one way on which all rates are answered. */
export function createAnswer(context: RatesContext): AnswerRates {
  const { snapshot: holder, clock } = context;
  const raw = openRawStore(context.database);
  const dear = openDearBodies(context.cache);

  return async (request, response, wanted, layout) => {
    for (let attempt = 1; ; attempt++) {
      const snapshot = holder.current();
      if (!snapshot) throw notLoaded();
      try {
        const today = Math.floor(clock().getTime() / DAY_MS);
        const answering = { context, raw, dear, snapshot, today, wanted, layout };
        return await answerAt(request, response, answering);
      } catch (error) {
        if (!(error instanceof SnapshotOutdated)) throw asUnavailable(error);
        if (attempt === ATTEMPTS) throw changing(error);
      }
      await holder.catchUp().catch((error: unknown) => {
        throw asUnavailable(error);
      });
    }
  };
}

interface Answering {
  context: RatesContext;
  raw: RawStore;
  dear: DearBodies;
  snapshot: Snapshot;
  today: number;
  wanted: RatesRequest;
  layout: Layout;
}

async function answerAt(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  const { context, raw, dear, snapshot, today, wanted, layout } = answering;
  const closed = isClosed(wanted, today);
  const validity: Validity = {
    tag: entityTag(
      software,
      snapshot.version,
      keyOf(wanted),
      layout.format,
      String(layout.single),
      closed ? '' : today,
    ),
    cacheControl: closed ? CLOSED : moving(context.clock),
    vary: ['accept'],
  };
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  if (answeredNotModified(request, response, validity, encoding)) return;

  const send = (finished: Finished) =>
    sendFinished(request, response, { ...answering, validity, closed, finished });
  const make = (use: (answer: RowsAnswer) => Promise<Finished | undefined>) =>
    withRows({ raw, tomorrow: today + 1 }, snapshot, wanted, use);
  const isDear = wanted.expand || wanted.providers !== undefined;
  if (isDear && wanted.when.form !== 'range') {
    return send(await dear.get(validity.tag, () => make((answer) => finish(answer, wanted, layout))));
  }
  const finished = await make(async (answer) => {
    if (answer.estimate <= MOST_ROWS_IN_MEMORY) return finish(answer, wanted, layout);
    setValidity(response, validity, encoding);
    response.setHeader('content-type', layout.contentType);
    await streamBody(request, response, encodeChunks(answer.rows, encodeOptions(wanted, layout)), encoding);
    return undefined;
  });
  if (finished) await send(finished);
}

interface Sending {
  context: RatesContext;
  snapshot: Snapshot;
  layout: Layout;
  validity: Validity;
  closed: boolean;
  finished: Finished;
}

/** Sends a body that was made whole, and keeps it for those who ask the very same. */
async function sendFinished(
  request: IncomingMessage,
  response: ServerResponse,
  { context, snapshot, layout, validity, closed, finished }: Sending,
): Promise<void> {
  const { body: plain, asOf } = finished;
  const wanted = negotiateEncoding(request.headers['accept-encoding']);
  const encoding: Encoding = plain.length < SMALLEST_CODED ? 'identity' : wanted;
  const body = encoding === 'identity' ? plain : await encodeBody(plain, encoding);
  setValidity(response, validity, encoding);
  if (asOf !== undefined) response.setHeader('x-rates-as-of', fromDayNumber(asOf));
  sendBody(request, response, body, { contentType: layout.contentType, encoding });
  if (request.method !== 'GET') return;
  context.hot?.keep(request, epochOf(snapshot.version, context.clock), () => ({
    tag: validity.tag,
    headers: lastingHeaders(response, !closed),
    body,
    moves: !closed,
    route: layout.route,
  }));
}

/** The whole body. Throws a 404 where a single row is wanted and there is none. */
async function finish({ rows, asOf }: RowsAnswer, wanted: RatesRequest, layout: Layout): Promise<Finished> {
  const whole = Symbol.asyncIterator in rows ? await collect(rows) : rows;
  const body = encodeWhole(whole, encodeOptions(wanted, layout));
  if (!body) throw new HttpError(404, `no rate for ${wanted.base}/${wanted.quotes?.[0]}`);
  return { body, asOf };
}

async function collect(dates: AsyncIterable<DatedRows>): Promise<DatedRows[]> {
  const collected: DatedRows[] = [];
  for await (const dated of dates) collected.push(dated);
  return collected;
}

function encodeOptions({ base, expand }: RatesRequest, { format, single }: Layout): EncodeOptions {
  return { format, base, expanded: expand, single };
}

function notLoaded(): HttpError {
  return new HttpError(503, 'the rates are not loaded yet', { headers: { 'retry-after': '2' } });
}

function changing(cause: unknown): HttpError {
  return new HttpError(503, 'the rates are changing right now', { headers: { 'retry-after': '1' }, cause });
}
