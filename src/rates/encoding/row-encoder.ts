import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { DatedRows, PlainRows, Row, RowMarks, RowSource, Stats, TakeRates } from '../snapshot/row.js';
import {
  createTemplate,
  LONGEST_NUMBER,
  type Template,
  writeDate,
  writeRate,
  writeTemplate,
  writeText,
} from './ascii.js';

/** The formats of rows. */
export const FORMATS = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

export interface EncodeOptions {
  format: Format;
  base: string;
  /** What rows have beside date, base, quote and rate: members in JSON, columns in CSV. */
  details?: readonly Detail[];
  /** Whether the body is one row, without a list around it. */
  single?: boolean;
  /** Whether rates have all their digits instead of those for display. */
  precision?: 'display' | 'full';
  /** Whether CSV begins with the names of its columns; so by default. */
  header?: boolean;
}

/** What a row may have beside its rate, in the order in which it is written. */
const DETAILS = ['validity', 'observed', 'providers', 'stats', 'quality'] as const;

export type Detail = (typeof DETAILS)[number];

// Initial buffer sizes of a complete body. The buffer grows if the body is longer.
const PLAIN_ROW_BYTES = 96;
const EXPANDED_BODY_BYTES = 8 * 1024;
const MAX_INITIAL_BYTES = 256 * 1024;

/**
 * Encodes a complete body, in a buffer of exactly its size, as it may be cached. Undefined if a single row is
 * requested and there is none.
 */
export function encodeWhole(
  rows: PlainRows | Iterable<DatedRows>,
  options: EncodeOptions,
): Buffer | undefined {
  const encoder = createRowEncoder(options, quotesOf(rows), capacityFor(rows));
  if ('draw' in rows) rows.draw(encoder.takeRates, Number.POSITIVE_INFINITY);
  else for (const dated of rows) encoder.takeRows(dated);
  if (options.single && encoder.isEmpty()) return undefined;
  const written = encoder.finish();
  const body = Buffer.allocUnsafeSlow(written.length);
  written.copy(body);
  return body;
}

function capacityFor(rows: PlainRows | object): number {
  if (!('draw' in rows)) return EXPANDED_BODY_BYTES;
  // The encoder reserves room for all quotes of a date before writing it: hence one date more.
  return Math.min(MAX_INITIAL_BYTES, (rows.maxRows + rows.quotes.length) * PLAIN_ROW_BYTES);
}

/** A chunk ends after the date in which it reaches this size: only the last one is shorter. */
// Some three milliseconds of work, so that other requests need not wait long; each chunk also has a fixed cost.
export const CHUNK_BYTES = 256 * 1024;
// Unused memory is never touched and costs nothing.
const CHUNK_CAPACITY = CHUNK_BYTES + 256 * 1024;
const RATES_AT_ONCE = 256;

/**
 * A body as chunks of about 256 KiB. Rows are read only when a chunk is requested.
 *
 * The chunks of a body alternate between two buffers, which no other body uses. **Chunk N is overwritten when chunk N
 * + 2 is requested**: a writer requests that only after the write callback of chunk N, and a chunk that is to be kept
 * must be copied.
 */
export async function* encodeChunks(
  rows: PlainRows | Iterable<DatedRows> | AsyncIterable<DatedRows>,
  options: EncodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const encoder = createRowEncoder(options, quotesOf(rows), CHUNK_CAPACITY);
  if ('draw' in rows) {
    while (rows.draw(encoder.takeRates, RATES_AT_ONCE)) {
      if (encoder.length() <= CHUNK_BYTES) continue;
      yield encoder.chunk();
      encoder.startChunk();
    }
  } else {
    for await (const dated of rows) {
      encoder.takeRows(dated);
      if (encoder.length() <= CHUNK_BYTES) continue;
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
interface RowEncoder {
  /** Writes the rates of one date, in the order of the quotes. */
  takeRates: TakeRates;
  takeRows(dated: DatedRows): void;
  /** Whether no row was written yet. */
  isEmpty(): boolean;
  /** Bytes in the current chunk. */
  length(): number;
  /** Ends the current chunk, which must have a row, and returns it. The next call must be `startChunk`. */
  chunk(): Buffer;
  /** Begins the next chunk, in the other buffer. */
  startChunk(): void;
  /** Returns the last chunk, with the end of the body. */
  finish(): Buffer;
}

/**
 * Begins a body, with a buffer of the given capacity, and a second one from the second chunk on. The bytes of a row
 * before its rate are a template, in which only the date and the quote are replaced.
 */
function createRowEncoder(options: EncodeOptions, quotes: readonly string[], capacity: number): RowEncoder {
  const { format, base, single, precision = 'display' } = options;
  const details = DETAILS.filter((detail) => options.details?.includes(detail));
  const { open, row, suffix, separator, end } = single && format === 'json' ? SINGLE : LAYOUTS[format];
  const template = createTemplate(row.replace(BASE, base));
  const observedText = format === 'csv' ? `,${DATE}` : `,"observed":"${DATE}"`;
  const layout: RowLayout = {
    template,
    quoteOffset: row.indexOf(QUOTE),
    codes: Buffer.from(quotes.join(''), 'latin1'),
    suffix: Buffer.from(suffix + separator),
    observed: createTemplate(observedText + suffix + separator),
    observedOffset: observedText.indexOf(DATE),
    write: precision === 'full' ? writeFullRate : writeRate,
  };
  const dateOffset = row.indexOf(DATE);
  const longestPlainRow = template.bytes.length + LONGEST_NUMBER + layout.observed.bytes.length;
  let buffer = new GrowingBuffer(capacity);
  let other: GrowingBuffer | undefined;
  const head = format === 'csv' ? header(options.header ?? true, details) : open;
  buffer.reserve(0, head.length);
  let at = writeText(buffer.bytes, 0, head);
  let isEmpty = true;

  return {
    takeRates(day, rates, marks) {
      buffer.reserve(at, rates.length * longestPlainRow);
      writeDate(template.bytes, dateOffset, day);
      const before = at;
      at = writeRows(buffer, at, layout, rates, marks);
      isEmpty &&= at === before;
    },
    takeRows({ day, rows }) {
      writeDate(template.bytes, dateOffset, day);
      for (const row of rows) {
        const mark = row.suspect && format !== 'csv' ? `,"suspect":true,"reason":"${row.suspect}"` : '';
        const tail = mark + details.map((detail) => encodeDetail(detail, row, format, precision)).join('');
        buffer.reserve(at, longestPlainRow + tail.length);
        const { bytes, view } = buffer;
        const rateAt = writeTemplate(view, at, template);
        writeText(bytes, at + layout.quoteOffset, row.quote);
        if (Number.isNaN(row.rate)) at = writeText(bytes, rateAt, format === 'csv' ? '' : 'null');
        else
          at = row.published ? writeFullRate(bytes, rateAt, row.rate) : layout.write(bytes, rateAt, row.rate);
        at += bytes.write(tail + suffix + separator, at, 'latin1');
        isEmpty = false;
      }
    },
    isEmpty: () => isEmpty,
    length: () => at,
    // The last separator is moved to the next chunk, because the end of the body replaces it.
    chunk: () => buffer.bytes.subarray(0, at - separator.length),
    startChunk() {
      const next = other ?? new GrowingBuffer(capacity);
      other = buffer;
      buffer = next;
      at = writeText(buffer.bytes, 0, separator);
    },
    finish() {
      if (!isEmpty) at -= separator.length;
      buffer.reserve(at, end.length);
      at = writeText(buffer.bytes, at, end);
      return buffer.bytes.subarray(0, at);
    },
  };
}

/** The parts of the rows of one body. */
interface RowLayout {
  /** The bytes before the rate. */
  template: Template;
  /** The offset of the quote in it. */
  quoteOffset: number;
  /** The codes of all quotes, without separators. */
  codes: Uint8Array;
  /** What follows the rate, with the separator: two bytes at most. */
  suffix: Uint8Array;
  /** What follows the rate of a row with its observed date, with the suffix and the separator. */
  observed: Template;
  /** The offset of the date in it. */
  observedOffset: number;
  /** Writes a rate in the digits that are requested. */
  write(bytes: Uint8Array, at: number, rate: number): number;
}

const CODE_LENGTH = 3;

/**
 * Writes the rows of one date and returns the position after them. Encoding a long body spends nearly all of its time
 * here.
 */
function writeRows(
  { bytes, view }: GrowingBuffer,
  start: number,
  { template, quoteOffset, codes, suffix, observed, observedOffset, write }: RowLayout,
  rates: Float64Array,
  marks: RowMarks | undefined,
): number {
  let at = start;
  let observedDay = Number.NaN;
  for (let index = 0; index < rates.length; index++) {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) continue;
    const rateAt = writeTemplate(view, at, template);
    const code = index * CODE_LENGTH;
    bytes[at + quoteOffset] = codes[code] ?? 0;
    bytes[at + quoteOffset + 1] = codes[code + 1] ?? 0;
    bytes[at + quoteOffset + 2] = codes[code + 2] ?? 0;
    const isExact = marks !== undefined && marks.exact?.[index] === 1;
    at = isExact ? writeFullRate(bytes, rateAt, rate) : write(bytes, rateAt, rate);
    if (marks?.observed) {
      const day = marks.observed[index] ?? 0;
      // Most rows of a date come from the same day.
      if (day !== observedDay) writeDate(observed.bytes, observedOffset, day);
      observedDay = day;
      at = writeTemplate(view, at, observed);
    } else {
      bytes[at] = suffix[0] ?? 0;
      bytes[at + 1] = suffix[1] ?? 0;
      at += suffix.length;
    }
  }
  return at;
}

/** Writes a rate with all the digits that it has at rest. */
function writeFullRate(bytes: Uint8Array, at: number, rate: number): number {
  return writeText(bytes, at, String(roundForStorage(rate)));
}

const LINE_END = '\n';
const DATE = 'YYYY-MM-DD';
const BASE = 'BBB';
const QUOTE = 'QQQ';
const JSON_ROW = `{"date":"${DATE}","base":"${BASE}","quote":"${QUOTE}","rate":`;

/** The parts of a body. */
interface BodyLayout {
  open: string;
  /** All that precedes the rate of a row. */
  row: string;
  /** What follows the rate, and what separates two rows: two bytes at most, together. */
  suffix: string;
  separator: string;
  end: string;
}

const NONE = { open: '', separator: '', end: '' };
const SINGLE: BodyLayout = { ...NONE, row: JSON_ROW, suffix: '}' };
const LAYOUTS: Record<Format, BodyLayout> = {
  json: { open: '[', row: JSON_ROW, suffix: '}', separator: ',', end: ']' },
  ndjson: { ...NONE, row: JSON_ROW, suffix: `}${LINE_END}` },
  csv: { ...NONE, row: `${DATE},${BASE},${QUOTE},`, suffix: LINE_END },
};

const COLUMNS: Record<Detail, readonly string[]> = {
  validity: ['valid_from', 'valid_to'],
  observed: ['observed'],
  providers: ['providers'],
  stats: ['first', 'last', 'last_date', 'low', 'high', 'average', 'days'],
  quality: ['sources', 'excluded', 'spread', 'age_days', 'suspects', 'peg'],
};

function header(isWanted: boolean, details: readonly Detail[]): string {
  if (!isWanted) return '';
  const names = ['date', 'base', 'quote', 'rate', ...details.flatMap((detail) => COLUMNS[detail])];
  return `${names.join(',')}${LINE_END}`;
}

type Precision = 'display' | 'full';

/** A detail as it follows what precedes it: `,"name":value` in JSON, its cells in CSV. A row may lack it. */
function encodeDetail(detail: Detail, row: Row, format: Format, precision: Precision): string {
  if (format === 'csv') {
    const cells = detail === 'providers' ? [sourcesCell(row.sources, precision)] : valuesOf(detail, row);
    return COLUMNS[detail].map((_, index) => `,${cells?.[index] ?? ''}`).join('');
  }
  if (detail === 'validity') return encodeValidity(row);
  if (detail === 'stats') return row.stats ? encodeStats(row.stats) : '';
  const member =
    detail === 'providers'
      ? row.sources?.map((source) => shownSource(source, precision))
      : memberOf(detail, row);
  return member === undefined ? '' : `,"${detail}":${JSON.stringify(member)}`;
}

/** Written by itself, as JSON.stringify takes twice as long for so many numbers. */
function encodeStats({ first, last, lastDay, low, high, average, days }: Stats): string {
  const date = lastDay === null ? null : `"${fromDayNumber(lastDay)}"`;
  return `,"stats":{"first":${first},"last":${last},"last_date":${date},"low":${low},"high":${high},"average":${average},"days":${days}}`;
}

/** The days of validity are members of the row itself. */
function encodeValidity({ validity }: Row): string {
  if (!validity) return '';
  return `,"valid_from":"${fromDayNumber(validity.from)}","valid_to":"${fromDayNumber(validity.to)}"`;
}

/** The values of a detail's columns, in their order. */
function valuesOf(
  detail: Exclude<Detail, 'providers'>,
  row: Row,
): readonly (string | number | boolean | null)[] {
  const member = memberOf(detail, row);
  if (typeof member !== 'object') return member === undefined ? [] : [member];
  const values = new Map<string, string | number | boolean | null>(Object.entries(member));
  return COLUMNS[detail].map((name) => values.get(name) ?? null);
}

function memberOf(detail: Exclude<Detail, 'providers'>, { validity, observed, stats, quality }: Row) {
  switch (detail) {
    case 'validity':
      return validity && { valid_from: fromDayNumber(validity.from), valid_to: fromDayNumber(validity.to) };
    case 'observed':
      return observed === undefined ? undefined : fromDayNumber(observed);
    case 'stats':
      return stats && shownStats(stats);
    case 'quality':
      return quality;
  }
}

function shownStats({ first, last, lastDay, low, high, average, days }: Stats) {
  return {
    first,
    last,
    last_date: lastDay === null ? null : fromDayNumber(lastDay),
    low,
    high,
    average,
    days,
  };
}

function sourcesCell(sources: readonly RowSource[] | undefined, precision: Precision): string {
  const cells = sources?.map((source) => {
    const { key, rate } = shownSource(source, precision);
    return `${key}:${rate}${source.excluded ? '*' : ''}${source.suspect ? '?' : ''}`;
  });
  return cells?.join('|') ?? '';
}

function shownSource({ key, day, rate, published, excluded, suspect }: RowSource, precision: Precision) {
  const shown = published || precision === 'full' ? roundForStorage(rate) : roundForDisplay(rate);
  const entry = { key, date: fromDayNumber(day), rate: shown };
  if (suspect) return { ...entry, suspect: true, reason: suspect };
  return excluded ? { ...entry, excluded } : entry;
}

/** A buffer that grows when needed. */
class GrowingBuffer {
  #bytes: Buffer;
  #view: DataView;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#view = viewOf(this.#bytes);
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The same memory. */
  get view(): DataView {
    return this.#view;
  }

  /** Ensures `room` bytes from a position on. Bytes before it are preserved. */
  reserve(at: number, room: number): void {
    if (at + room <= this.#bytes.length) return;
    const written = this.#bytes;
    this.#bytes = Buffer.allocUnsafe(Math.max(at + room, 2 * written.length));
    this.#view = viewOf(this.#bytes);
    written.copy(this.#bytes, 0, 0, at);
  }
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}
