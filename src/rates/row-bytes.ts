import { fromDayNumber } from '../../core/dates.js';
import { presentRate } from '../../core/numbers.js';
import { writeRate } from './decimal-bytes.js';
import type { DatedRows, PlainRows, RowSource, TakeRow } from './rows.js';
import { writeDate, writeText } from './text-bytes.js';

/** The forms in which rows are sent. */
export const FORMATS = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

export interface EncodeOptions {
  format: Format;
  base: string;
  /** Whether there is a column for sources, in CSV. */
  expanded: boolean;
  /** One row and no list around it. */
  single?: boolean;
  /** Size of the chunks in bytes, to be filled as far as whole rows fit. */
  chunkBytes?: number;
}

const CHUNK_BYTES = 64 * 1024;
// A row without sources is at most some 80 bytes long.
const LONGEST_PLAIN_ROW = 160;
const LINE_END = '\n';

// The first chunk of every whole body: it is made and copied in one go, with nothing in between.
const scratch = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * A whole body at once, in memory of its own: a slice would keep more alive than itself for as long as it is kept.
 * Undefined where there is no row and no list to be empty.
 */
export function encodeWhole(
  rows: PlainRows | Iterable<DatedRows>,
  options: EncodeOptions,
): Buffer | undefined {
  const encoder = createRowEncoder(options, scratch);
  if ('draw' in rows) rows.draw(encoder.take, Number.POSITIVE_INFINITY);
  else for (const dated of rows) encoder.takeDated(dated);
  if (options.single && encoder.isEmpty()) return undefined;
  const chunks = [...encoder.full(), encoder.finish()];
  const body = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(body, at);
  return body;
}

const ROWS_AT_ONCE = 256;

/** A body as chunks of bytes; rows are drawn only as chunks are. */
export async function* encodeChunks(
  rows: PlainRows | Iterable<DatedRows> | AsyncIterable<DatedRows>,
  options: EncodeOptions,
): AsyncGenerator<Buffer> {
  const encoder = createRowEncoder(options);
  if ('draw' in rows) {
    while (rows.draw(encoder.take, ROWS_AT_ONCE)) yield* encoder.full();
  } else {
    for await (const dated of rows) {
      encoder.takeDated(dated);
      yield* encoder.full();
    }
  }
  yield* encoder.full();
  yield encoder.finish();
}

/** Turns rows into bytes. */
export interface RowEncoder {
  take: TakeRow;
  takeDated(dated: DatedRows): void;
  isEmpty(): boolean;
  /** The chunks that got full since this was asked last, most often none. */
  full(): Buffer[];
  /** The end of the body: all that is left. */
  finish(): Buffer;
}

/**
 * Begins a body, in a chunk that may be given. What stands between two rates is copied for each row, after date and
 * quote are put into it where they change, and the rate is written behind it.
 */
export function createRowEncoder(options: EncodeOptions, first?: Buffer): RowEncoder {
  const { format, base, expanded, single, chunkBytes = CHUNK_BYTES } = options;
  const { open, pattern, skipped, dateAt, baseAt, quoteAt, end, endOfNone } =
    single && format === 'json' ? SINGLE : LAYOUTS[format];
  const common = pattern.slice();
  writeText(common, baseAt, base);
  let full: Buffer[] = [];
  let bytes = first ?? Buffer.allocUnsafe(Math.max(chunkBytes, LONGEST_PLAIN_ROW));
  let at = writeText(bytes, 0, format === 'csv' ? header(expanded) : open);
  let isEmpty = true;
  let dayThere = Number.NaN;
  let quoteThere = '';

  /** Makes room and writes a row as far as its rate. */
  const begin = (day: number, quote: string, room: number) => {
    if (at + room > bytes.length) {
      if (at > 0) full.push(bytes.subarray(0, at));
      bytes = Buffer.allocUnsafe(Math.max(chunkBytes, room));
      at = 0;
    }
    if (day !== dayThere) writeDate(common, dateAt, day);
    if (quote !== quoteThere) writeText(common, quoteAt, quote);
    dayThere = day;
    quoteThere = quote;
    // Nothing goes before the first row.
    const row = isEmpty ? common.subarray(skipped) : common;
    bytes.set(row, at);
    at += row.length;
    isEmpty = false;
  };

  return {
    take(day, quote, rate) {
      begin(day, quote, LONGEST_PLAIN_ROW);
      at = writeRate(bytes, at, rate);
    },
    takeDated({ day, rows }) {
      for (const { quote, rate, published, sources } of rows) {
        const tail = sources || (expanded && format === 'csv') ? encodeSources(sources, format) : '';
        begin(day, quote, LONGEST_PLAIN_ROW + tail.length);
        at = published ? writeText(bytes, at, String(rate)) : writeRate(bytes, at, rate);
        if (tail !== '') at = writeText(bytes, at, tail);
      }
    },
    isEmpty: () => isEmpty,
    full() {
      if (full.length === 0) return full;
      const chunks = full;
      full = [];
      return chunks;
    },
    finish() {
      // The longest row leaves room for the end.
      at = writeText(bytes, at, isEmpty ? endOfNone : end);
      return bytes.subarray(0, at);
    },
  };
}

/** What stands around the rates of a body. */
interface RowLayout {
  open: string;
  /** What stands before a rate, from the end of the row before on. */
  pattern: Uint8Array;
  /** How much of it is left out before the first. */
  skipped: number;
  dateAt: number;
  baseAt: number;
  quoteAt: number;
  /** What stands behind the last rate, and instead of all rows where there are none. */
  end: string;
  endOfNone: string;
}

const JSON_ROW = '{"date":"YYYY-MM-DD","base":"BBB","quote":"QQQ","rate":';

const SINGLE = layoutOf('', '', JSON_ROW, { end: '}' });
const LAYOUTS: Record<Format, RowLayout> = {
  json: layoutOf('[', '},', JSON_ROW, { end: '}]', endOfNone: ']' }),
  ndjson: layoutOf('', `}${LINE_END}`, JSON_ROW, { end: `}${LINE_END}` }),
  csv: layoutOf('', LINE_END, 'YYYY-MM-DD,BBB,QQQ,', { end: LINE_END }),
};

function layoutOf(
  open: string,
  between: string,
  row: string,
  { end, endOfNone = '' }: { end: string; endOfNone?: string },
): RowLayout {
  const text = between + row;
  return {
    open,
    pattern: Uint8Array.from(text, (character) => character.charCodeAt(0)),
    skipped: between.length,
    dateAt: text.indexOf('YYYY-MM-DD'),
    baseAt: text.indexOf('BBB'),
    quoteAt: text.indexOf('QQQ'),
    end,
    endOfNone,
  };
}

function header(expanded: boolean): string {
  return `date,base,quote,rate${expanded ? ',providers' : ''}${LINE_END}`;
}

function encodeSources(sources: readonly RowSource[] | undefined, format: Format): string {
  if (format === 'csv') {
    const cells = sources?.map((source) => `${source.key}:${shown(source)}${source.excluded ? '*' : ''}`);
    return `,${cells?.join('|') ?? ''}`;
  }
  return `,"providers":${JSON.stringify(sources?.map(shownSource))}`;
}

function shownSource(source: RowSource) {
  const { key, day, excluded } = source;
  const entry = { key, date: fromDayNumber(day), rate: shown(source) };
  return excluded ? { ...entry, excluded } : entry;
}

function shown({ rate, published }: RowSource): number {
  return published ? rate : presentRate(rate);
}
