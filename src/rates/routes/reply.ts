import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { todayNumber } from '../../../core/domain/clock.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { projectFolder } from '../../../core/process/project-files.js';
import type { AppContext } from '../../context.js';
import { encodeBody, SMALLEST_CODED } from '../../http/bodies.js';
import { CLOSED, moving } from '../../http/cache-control.js';
import { corsHeaders, securityHeaders } from '../../http/common-headers.js';
import { entityTag, heldEncoding, validityHeaders } from '../../http/conditional.js';
import { HttpError } from '../../http/errors.js';
import { type HeaderList, setHeaders } from '../../http/header-list.js';
import { type Encoding, negotiateEncoding } from '../../http/negotiation.js';
import type { HotAnswer } from '../../http/response-cache.js';
import { streamBody } from '../../http/stream-body.js';
import { sendWhole } from '../../http/whole-answer.js';
import { type EncodeOptions, encodeChunks, encodeWhole, type Format } from '../encoding/row-encoder.js';
import { openRawStore, type RawStore, SnapshotOutdated } from '../raw/raw-store.js';
import type { DatedRows, PlainRows } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { plainAnswer, type RowsAnswer, withRows } from './reply-rows.js';
import { isClosed, keyOf, type RatesRequest } from './request.js';
import { type DearBodies, type Finished, openDearBodies } from './shared-bodies.js';
import { asUnavailable } from './unavailable.js';

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
        const answering = { asked, context, raw, dear, snapshot, today: todayNumber(clock) };
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
  asked: Asked;
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
  const { asked, context, snapshot, today } = answering;
  const { wanted, layout, own } = asked;
  const isMoving = !isClosed(wanted, today);
  const validFor = isMoving ? today : '';
  const tag = entityTag(
    software,
    snapshot.version,
    keyOf(wanted),
    layout.format,
    String(layout.single),
    validFor,
  );
  const cacheControl = isMoving ? () => moving(context.clock) : () => CLOSED;
  const encoding = negotiateEncoding(request.headers['accept-encoding']);
  const headersIn = (coding: Encoding): HeaderList => [
    ...validityHeaders({ tag, vary: VARY }, coding),
    ...corsHeaders,
  ];
  const { route } = layout;
  const send = (answer: HotAnswer) => {
    sendWhole(request, response, answer, own);
    if (request.method === 'GET') context.hot?.keep(request, { version: snapshot.version, today }, answer);
  };
  const held = heldEncoding(request, tag, encoding);
  if (held) {
    send({ tag, headers: headersIn(held), cacheControl, content: [], body: '', route, onlyHeld: true });
    return;
  }

  const finishOrStream = async (answer: RowsAnswer): Promise<Finished | undefined> => {
    if (answer.estimate <= MOST_ROWS_IN_MEMORY) return finish(answer, asked);
    const head = [...headersIn(encoding), 'cache-control', cacheControl(), ...own, ...securityHeaders];
    setHeaders(response, [...head, 'content-type', layout.contentType]);
    const chunks = encodeChunks(answer.rows, encodeOptions(asked));
    await streamBody(request, response, chunks, encoding);
    return undefined;
  };
  const plain = plainAnswer(snapshot, wanted, today + 1);
  const finished =
    plain && plain.estimate <= MOST_ROWS_IN_MEMORY
      ? finishPlain(plain, asked)
      : await (plain ? finishOrStream(plain) : lookedUp(answering, tag, finishOrStream));
  if (!finished) return;

  const coding = finished.body.length < SMALLEST_CODED ? 'identity' : encoding;
  const body = coding === 'identity' ? finished.body : await encodeBody(finished.body, coding);
  const content = contentHeaders(finished, layout, { body, coding });
  send({ tag, headers: headersIn(coding), cacheControl, content, body, route });
}

/** Answers that need raw rows. Those of one date are dear for their size, and shared. */
function lookedUp(
  { asked, raw, dear, snapshot, today }: Answering,
  tag: string,
  finishOrStream: (answer: RowsAnswer) => Promise<Finished | undefined>,
): Promise<Finished | undefined> {
  const dependencies = { raw, tomorrow: today + 1 };
  if (asked.wanted.when.form === 'range') {
    return withRows(dependencies, snapshot, asked.wanted, finishOrStream);
  }
  return dear.get(tag, () =>
    withRows(dependencies, snapshot, asked.wanted, (answer) => finish(answer, asked)),
  );
}

/** What an answer says of its body. */
function contentHeaders(
  { asOf }: Finished,
  { contentType }: Layout,
  { body, coding }: { body: Buffer; coding: Encoding },
): HeaderList {
  const content = [...securityHeaders, 'content-type', contentType, 'content-length', String(body.length)];
  if (coding !== 'identity') content.push('content-encoding', coding);
  if (asOf !== undefined) content.push('x-rates-as-of', fromDayNumber(asOf));
  return content;
}

async function finish(answer: RowsAnswer, asked: Asked): Promise<Finished> {
  const { rows } = answer;
  const collected = Symbol.asyncIterator in rows ? await collect(rows) : rows;
  return finishPlain({ rows: collected, asOf: answer.asOf }, asked);
}

interface WholeRows {
  rows: PlainRows | Iterable<DatedRows>;
  asOf?: number | undefined;
}

/** The whole body. Throws a 404 where a single row is wanted and there is none. */
function finishPlain({ rows, asOf }: WholeRows, asked: Asked): Finished {
  const body = encodeWhole(rows, encodeOptions(asked));
  const { base, quotes } = asked.wanted;
  if (!body) throw new HttpError(404, `no rate for ${base}/${quotes?.[0]}`);
  return { body, asOf };
}

async function collect(dates: AsyncIterable<DatedRows>): Promise<DatedRows[]> {
  const collected: DatedRows[] = [];
  for await (const dated of dates) collected.push(dated);
  return collected;
}

function encodeOptions({ wanted, layout }: Asked): EncodeOptions {
  const { base, expand } = wanted;
  const { format, single } = layout;
  return { format, base, expanded: expand, single };
}

function notLoaded(): HttpError {
  return new HttpError(503, 'the rates are not loaded yet', { headers: { 'retry-after': '2' } });
}

function changing(cause: unknown): HttpError {
  return new HttpError(503, 'the rates are changing right now', { headers: { 'retry-after': '1' }, cause });
}
