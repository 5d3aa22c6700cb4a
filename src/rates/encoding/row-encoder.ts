import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForDisplay } from '../../../core/domain/rounding.js';
import type { DatedRows, PlainRows, RowSource, TakeRates } from '../snapshot/rows.js';
import { LONGEST_NUMBER, writeRate } from './decimal-bytes.js';
import { GrowingBuffer } from './growing-buffer.js';
import { createTemplate, type Template, writeTemplate } from './template.js';
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
}

// Where a body turns out longer its buffer grows: these only make that rare.
const PLAIN_ROW_BYTES = 96;
const BODY_BYTES = 8 * 1024;

/**
 * A whole body, in memory of exactly its size, as some are kept for long. Undefined where a single row is wanted and
 * there is none.
 */
export function encodeWhole(
  rows: PlainRows | Iterable<DatedRows>,
  options: EncodeOptions,
): Buffer | undefined {
  // Room for the rows of one more date, as it is made before it is known how many of them there are.
  const capacity = 'draw' in rows ? (rows.most + rows.quotes.length) * PLAIN_ROW_BYTES : BODY_BYTES;
  const encoder = createRowEncoder(options, quotesOf(rows), capacity);
  if ('draw' in rows) rows.draw(encoder.takeRates, Number.POSITIVE_INFINITY);
  else for (const dated of rows) encoder.takeRows(dated);
  if (options.single && encoder.isEmpty()) return undefined;
  const written = encoder.finish();
  const body = Buffer.allocUnsafeSlow(written.length);
  written.copy(body);
  return body;
}

// A reader that keeps up is woken once a chunk: smaller ones take longer in all.
const CHUNK_BYTES = 1024 * 1024;
// A chunk ends after the date with which it reaches its size. Untouched memory costs nothing.
const CHUNK_CAPACITY = CHUNK_BYTES + 256 * 1024;
const RATES_AT_ONCE = 256;

/**
 * A body as chunks of some 1 MiB; rows are drawn only as chunks are asked for.
 *
 * All chunks of a body lie in two buffers by turns: **the memory of a chunk is written into again when the chunk after
 * the next is asked for**. Whoever sends them has to wait for the write callback of chunk N before it asks for chunk
 * N + 2, and copies what it wants to keep. No buffer is ever shared with another body.
 */
export async function* encodeChunks(
  rows: PlainRows | Iterable<DatedRows> | AsyncIterable<DatedRows>,
  options: EncodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const encoder = createRowEncoder(options, quotesOf(rows), CHUNK_CAPACITY);
  if ('draw' in rows) {
    while (rows.draw(encoder.takeRates, RATES_AT_ONCE)) {
      if (encoder.length() < CHUNK_BYTES) continue;
      yield encoder.chunk();
      encoder.startChunk();
    }
  } else {
    for await (const dated of rows) {
      encoder.takeRows(dated);
      if (encoder.length() < CHUNK_BYTES) continue;
      yield encoder.chunk();
      encoder.startChunk();
    }
  }
  const rest = encoder.finish();
  if (rest.length > 0) yield rest;
}

function quotesOf(rows: PlainRows | object): readonly string[] {
  return 'quotes' in rows ? rows.quotes : [];
}

/** Turns rows into bytes. */
export interface RowEncoder {
  /** Takes rates in step with the quotes that the encoder was made for. */
  takeRates: TakeRates;
  takeRows(dated: DatedRows): void;
  /** Whether no row was taken yet. */
  isEmpty(): boolean;
  /** How many bytes were written since the chunk began. */
  length(): number;
  /** What was written since the chunk began; rows have been taken. It ends with a row. */
  chunk(): Buffer;
  /** Begins the next chunk, in the other of the two buffers: in the memory of the chunk before the last. */
  startChunk(): void;
  /** The end of the body: all that was written since the chunk began. */
  finish(): Buffer;
}

/**
 * Begins a body. What stands before a rate is the same in every row but for the date and the quote: a template, which is
 * copied and filled in. The second buffer is made when a second chunk begins.
 */
export function createRowEncoder(
  options: EncodeOptions,
  quotes: readonly string[],
  capacity: number,
): RowEncoder {
  const { format, base, expanded, single } = options;
  const { open, row, behind, between, end } = single && format === 'json' ? SINGLE : LAYOUTS[format];
  const template = createTemplate(row.replace(BASE, base));
  const layout: RowLayout = {
    template,
    quoteAt: row.indexOf(QUOTE),
    codes: Buffer.from(quotes.join(''), 'latin1'),
    behind: Buffer.from(behind + between),
  };
  const dateAt = row.indexOf(DATE);
  const longestPlainRow = template.bytes.length + LONGEST_NUMBER + MOST_BEHIND;
  let buffer = new GrowingBuffer(capacity);
  let other: GrowingBuffer | undefined;
  const head = format === 'csv' ? header(expanded) : open;
  buffer.reserve(0, head.length);
  let at = writeText(buffer.bytes, 0, head);
  let isEmpty = true;

  return {
    takeRates(day, rates) {
      buffer.reserve(at, rates.length * longestPlainRow);
      writeDate(template.bytes, dateAt, day);
      const before = at;
      at = writeRows(buffer, at, layout, rates);
      isEmpty &&= at === before;
    },
    takeRows({ day, rows }) {
      writeDate(template.bytes, dateAt, day);
      for (const { quote, rate, published, sources } of rows) {
        const tail = sources || (expanded && format === 'csv') ? encodeSources(sources, format) : '';
        buffer.reserve(at, longestPlainRow + tail.length);
        const { bytes, view } = buffer;
        const rateAt = writeTemplate(view, at, template);
        writeText(bytes, at + layout.quoteAt, quote);
        at = published ? writeText(bytes, rateAt, String(rate)) : writeRate(bytes, rateAt, rate);
        at = writeText(bytes, at, tail + behind + between);
        isEmpty = false;
      }
    },
    isEmpty: () => isEmpty,
    length: () => at,
    // What stands between two rows begins the next chunk: at the end of the body it has to be left out.
    chunk: () => buffer.bytes.subarray(0, at - between.length),
    startChunk() {
      const next = other ?? new GrowingBuffer(capacity);
      other = buffer;
      buffer = next;
      at = writeText(buffer.bytes, 0, between);
    },
    finish() {
      if (!isEmpty) at -= between.length;
      buffer.reserve(at, end.length);
      at = writeText(buffer.bytes, at, end);
      return buffer.bytes.subarray(0, at);
    },
  };
}

/** How the rows of one body are written. */
interface RowLayout {
  /** What stands before the rate, with the date in it. */
  template: Template;
  /** Where the quote stands in it. */
  quoteAt: number;
  /** The codes of the quotes, one behind the other. */
  codes: Uint8Array;
  /** What stands behind a row: `MOST_BEHIND` characters at most. */
  behind: Uint8Array;
}

const MOST_BEHIND = 2;
const CODE_LENGTH = 3;

/** Writes the rows of one date and returns the position after them: nearly all the time of a long body. */
function writeRows(
  { bytes, view }: GrowingBuffer,
  start: number,
  { template, quoteAt, codes, behind }: RowLayout,
  rates: Float64Array,
): number {
  let at = start;
  for (let index = 0; index < rates.length; index++) {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) continue;
    const rateAt = writeTemplate(view, at, template);
    const code = index * CODE_LENGTH;
    bytes[at + quoteAt] = codes[code] ?? 0;
    bytes[at + quoteAt + 1] = codes[code + 1] ?? 0;
    bytes[at + quoteAt + 2] = codes[code + 2] ?? 0;
    at = writeRate(bytes, rateAt, rate);
    bytes[at] = behind[0] ?? 0;
    bytes[at + 1] = behind[1] ?? 0;
    at += behind.length;
  }
  return at;
}

const LINE_END = '\n';
const DATE = 'YYYY-MM-DD';
const BASE = 'BBB';
const QUOTE = 'QQQ';
const JSON_ROW = `{"date":"${DATE}","base":"${BASE}","quote":"${QUOTE}","rate":`;

/** What a body is made of. */
interface BodyLayout {
  open: string;
  /** What stands before a rate. */
  row: string;
  /** What stands behind it, and between two rows. */
  behind: string;
  between: string;
  end: string;
}

const NONE = { open: '', between: '', end: '' };
const SINGLE: BodyLayout = { ...NONE, row: JSON_ROW, behind: '}' };
const LAYOUTS: Record<Format, BodyLayout> = {
  json: { open: '[', row: JSON_ROW, behind: '}', between: ',', end: ']' },
  ndjson: { ...NONE, row: JSON_ROW, behind: `}${LINE_END}` },
  csv: { ...NONE, row: `${DATE},${BASE},${QUOTE},`, behind: LINE_END },
};

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
  return published ? rate : roundForDisplay(rate);
}
