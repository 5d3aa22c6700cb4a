import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { todayNumber } from '../../core/clock.js';
import { projectFolder } from '../../core/data-files.js';
import { fromDayNumber } from '../../core/dates.js';
import type { AppContext } from '../context.js';
import { encodeBody, SMALLEST_CODED } from '../http/bodies.js';
import { CLOSED, moving } from '../http/cache-control.js';
import { corsHeaders, securityHeaders } from '../http/common-headers.js';
import { entityTag, heldEncoding, validityHeaders } from '../http/conditional.js';
import { HttpError } from '../http/errors.js';
import { type HeaderList, setHeaders } from '../http/header-list.js';
import { type Encoding, negotiateEncoding } from '../http/negotiation.js';
import { sendWhole, type WholeAnswer } from '../http/whole-answer.js';
import { type RowsAnswer, withRows } from './answer-rows.js';
import { asUnavailable } from './away.js';
import { type DearBodies, type Finished, openDearBodies } from './dear-bodies.js';
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

/** One request for rates. */
export interface Asked {
  wanted: RatesRequest;
  layout: Layout;
  /** Headers of the answer that are this request's own. */
  own: HeaderList;
}

/** Answers a request for rates. */
export type AnswerRates = (request: IncomingMessage, response: ServerResponse, asked: Asked) => Promise<void>;

/** Answers of more rows than this are streamed: some megabyte. */
const MOST_ROWS_IN_MEMORY = 16_000;
const ATTEMPTS = 5;

const software: string = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version;

/** Makes the one way on which all rates are answered. */
export function createAnswer(context: RatesContext): AnswerRates {
  const { snapshot: holder, clock } = context;
  const raw = openRawStore(context.database);
  const dear = openDearBodies(context.cache);

  return async (request, response, asked) => {
    for (let attempt = 1; ; attempt++) {
      const snapshot = holder.current();
      if (!snapshot) throw notLoaded();
      try {
        const today = todayNumber(clock);
        return await answerAt(request, response, { ...asked, context, raw, dear, snapshot, today });
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

interface Answering extends Asked {
  context: RatesContext;
  raw: RawStore;
  dear: DearBodies;
  snapshot: Snapshot;
  today: number;
}

const VARY = ['accept'];

async function answerAt(
  request: IncomingMessage,
  response: ServerResponse,
  answering: Answering,
): Promise<void> {
  const { context, raw, dear, snapshot, today, wanted, layout, own } = answering;
  const isMoving = !isClosed(wanted, today);
  const { format, single } = layout;
  const tag = entityTag(
    software,
    snapshot.version,
    keyOf(wanted),
    format,
    String(single),
    isMoving ? today : '',
  );
  const cacheControl = isMoving ? () => moving(context.clock) : () => CLOSED;
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  const headersIn = (coding: Encoding): HeaderList => [
    ...validityHeaders({ tag, vary: VARY }, coding),
    ...corsHeaders,
  ];
  const held = heldEncoding(request, tag, encoding);
  if (held) {
    response.writeHead(304, [...headersIn(held), 'cache-control', cacheControl(), ...own]).end();
    return;
  }

  const make = (use: (answer: RowsAnswer) => Promise<Finished | undefined>) =>
    withRows({ raw, tomorrow: today + 1 }, snapshot, wanted, use);
  const isDear = wanted.expand || wanted.providers !== undefined;
  const finished =
    isDear && wanted.when.form !== 'range'
      ? await dear.get(tag, () => make((answer) => finish(answer, wanted, layout)))
      : await make(async (answer) => {
          if (answer.estimate <= MOST_ROWS_IN_MEMORY) return finish(answer, wanted, layout);
          const head = [...headersIn(encoding), 'cache-control', cacheControl(), ...own];
          setHeaders(response, [...head, ...securityHeaders, 'content-type', layout.contentType]);
          const chunks = encodeChunks(answer.rows, encodeOptions(wanted, layout));
          await streamBody(request, response, chunks, encoding);
          return undefined;
        });
  if (!finished) return;

  const whole = await wholeAnswer(finished, layout, encoding);
  const answer = { ...whole, tag, headers: headersIn(whole.encoding), cacheControl, route: layout.route };
  sendWhole(request, response, answer, own);
  if (request.method === 'GET') context.hot?.keep(request, { version: snapshot.version, today }, answer);
}

/** What a finished body says of itself, coded where that pays. */
async function wholeAnswer(
  { body: plain, asOf }: Finished,
  { contentType }: Layout,
  wanted: Encoding,
): Promise<Pick<WholeAnswer, 'body' | 'content'> & { encoding: Encoding }> {
  const encoding: Encoding = plain.length < SMALLEST_CODED ? 'identity' : wanted;
  const body = encoding === 'identity' ? plain : await encodeBody(plain, encoding);
  const content = [...securityHeaders, 'content-type', contentType, 'content-length', String(body.length)];
  if (encoding !== 'identity') content.push('content-encoding', encoding);
  if (asOf !== undefined) content.push('x-rates-as-of', fromDayNumber(asOf));
  return { body, content, encoding };
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
