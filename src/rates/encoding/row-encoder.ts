import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { type Format, LONGEST_STRING } from '../../http/reply.js';
import { type DatedRows, type Dates, PlainRows, type RatesOfDate } from '../snapshot/row.js';
import {
  createDateWriter,
  createTemplate,
  LONGEST_NUMBER,
  writeFullRate,
  writeNumber,
  writeRate,
  writeTemplate,
  writeText,
} from './ascii.js';
import { createDetailWriter, type Detail, suspicionMembers } from './details.js';

export interface EncodeOptions {
  format: Format;
  base: string;
  /** The details of rows besides date, base, quote and rate: members in JSON, columns in CSV. */
  details?: readonly Detail[];
  /** Whether the body is one row, without a list around it. */
  single?: boolean;
  /** Whether rates have all their digits instead of those for display. */
  precision?: 'display' | 'full';
  /** Whether CSV begins with the names of its columns. The default is true. */
  header?: boolean;
}

const WHOLE_CAPACITY = 256 * 1024;
/** Shared by all bodies: encoding never waits, and allocation is over a tenth of the work for a short body. */
// Undefined while a body is being written, and after one that failed.
let spareBuffer: GrowingBuffer | undefined;

/** Returns ASCII, or a buffer of exactly its size, as it may be cached. Undefined if a single row is missing. */
export function encodeWhole(rows: Iterable<DatedRows>, options: EncodeOptions): Buffer | string | undefined {
  const buffer = spareBuffer ?? new GrowingBuffer(WHOLE_CAPACITY);
  spareBuffer = undefined;
  const encoder = new RowEncoder(options, rows, buffer);
  if (rows instanceof PlainRows) encoder.takeDates(rows);
  else for (const dated of rows) encoder.takeRows(dated);
  const written = encoder.finish();
  const body = written.length <= LONGEST_STRING ? written.toString('latin1') : Buffer.from(written);
  // A longer buffer is not kept for the few bodies that need it.
  if (buffer.bytes.length === WHOLE_CAPACITY) spareBuffer = buffer;
  return options.single && encoder.isEmpty ? undefined : body;
}

/** A chunk ends after the date in which it reaches this size, so that only the last one is shorter. */
// Short responses wait while a chunk is written to a socket, and passing a chunk between threads takes some microseconds.
export const CHUNK_BYTES = 128 * 1024;
// Unused memory is never touched and costs nothing.
const CHUNK_CAPACITY = CHUNK_BYTES + 128 * 1024;

/** Encodes chunks of about 128 KiB, on demand. **Each one overwrites the last**: write or copy it before the next. */
export async function* encodeChunks(
  rows: Dates,
  options: EncodeOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const encoder = new RowEncoder(options, rows, new GrowingBuffer(CHUNK_CAPACITY));
  if (rows instanceof PlainRows) {
    while (encoder.takeDates(rows, CHUNK_BYTES)) yield encoder.takeChunk();
  } else {
    for await (const dated of rows) {
      encoder.takeRows(dated);
      if (encoder.length > CHUNK_BYTES) yield encoder.takeChunk();
    }
  }
  const rest = encoder.finish();
  if (rest.length > 0) yield rest;
}

/** A buffer that is replaced by a longer one when it is full. */
class GrowingBuffer {
  bytes: Buffer;
  /** The same memory. */
  view: DataView;

  constructor(length: number) {
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Ensures `room` bytes from a position on. Preserves the bytes before it. */
  reserve(at: number, room: number): void {
    if (at + room <= this.bytes.length) return;
    const written = this.bytes;
    this.bytes = Buffer.allocUnsafeSlow(Math.max(at + room, 2 * written.length));
    this.view = new DataView(this.bytes.buffer);
    written.copy(this.bytes, 0, 0, at);
  }
}

class RowEncoder {
  readonly #body: BodyLayout;
  readonly #row: RowLayout;
  readonly #codes: Uint8Array;
  readonly #buffer: GrowingBuffer;
  /** The bytes of the current chunk. */
  length: number;
  isEmpty = true;

  constructor(options: EncodeOptions, rows: Dates, buffer: GrowingBuffer) {
    const { format, header = true, single } = options;
    this.#body = single && format === 'json' ? SINGLE : LAYOUTS[format];
    this.#row = rowLayout(options, this.#body);
    this.#codes = codesOf(rows instanceof PlainRows ? rows.quotes : []);
    this.#buffer = buffer;
    const names = ['date', 'base', 'quote', 'rate', ...this.#row.details.columns];
    const head = format === 'csv' && header ? names.join() + LINE_END : this.#body.open;
    buffer.reserve(0, head.length);
    this.length = writeText(buffer.bytes, 0, head);
  }

  /** Writes dates until the chunk is longer than `limit`. Returns false at the end of the rows. */
  takeDates(rows: PlainRows, limit = Number.POSITIVE_INFINITY): boolean {
    for (let date = rows.nextDate(); date; date = rows.nextDate()) {
      this.#write(date, this.#codes);
      if (this.length > limit) return true;
    }
    return false;
  }

  takeRows({ day, rows }: DatedRows): void {
    const rates = new Float64Array(rows.length);
    const exact = new Uint8Array(rows.length);
    for (const [index, { rate, published }] of rows.entries()) {
      rates[index] = published ? roundForStorage(rate) : rate;
      exact[index] = Number(published);
    }
    const suspects = rows.map(({ suspect }) => suspect);
    this.#write({ day, rates, marks: { exact, suspects, rows } }, codesOf(rows.map(({ quote }) => quote)));
  }

  #write(date: RatesOfDate, codes: Uint8Array): void {
    const { longest, details, writeDay } = this.#row;
    const { day, rates, marks } = date;
    const marksRoom = (marks?.suspects ? LONGEST_SUSPICION : 0) + (marks?.stats ? details.roomFor({}) : 0);
    const room = rates.length * (longest + marksRoom);
    if (this.length === 0) this.length = writeText(this.#buffer.bytes, 0, this.#body.separator);
    const before = this.length;
    this.#buffer.reserve(before, room);
    writeDay(day);
    this.#writeRows(date, codes, room);
    this.isEmpty &&= this.length === before;
  }

  /** Encoding a long body spends almost all of its time here. `room` excludes the details of `rows`. */
  #writeRows({ rates, marks }: RatesOfDate, codes: Uint8Array, room: number): void {
    const { template, quoteOffset, rowEnd, observed, isCsv, details, write } = this.#row;
    let { bytes, view } = this.#buffer;
    let at = this.length;
    for (let index = 0; index < rates.length; index++) {
      const rate = rates[index] ?? Number.NaN;
      const row = marks?.rows?.[index];
      if (row) {
        // The details of a row may have any length, and are not counted for all rows of a date in advance.
        this.#buffer.reserve(at, room + details.roomFor(row));
        ({ bytes, view } = this.#buffer);
      } else if (Number.isNaN(rate)) continue;
      const rateAt = writeTemplate(view, at, template);
      const code = index * CODE_LENGTH;
      bytes[at + quoteOffset] = codes[code] ?? 0;
      bytes[at + quoteOffset + 1] = codes[code + 1] ?? 0;
      bytes[at + quoteOffset + 2] = codes[code + 2] ?? 0;
      const isExact = marks !== undefined && marks.exact?.[index] === 1;
      // A removed row has no rate, and exact rates already have the stored digits.
      if (Number.isNaN(rate)) at = writeText(bytes, rateAt, isCsv ? '' : 'null');
      else at = isExact ? writeNumber(bytes, rateAt, rate) : write(bytes, rateAt, rate);
      const reason = marks?.suspects?.[index];
      if (reason && !isCsv) at = writeText(bytes, at, suspicionMembers(reason));
      const stats = marks?.stats?.[index];
      if (row || stats) at = details.write(this.#buffer, at, row ?? { stats });
      if (observed && marks?.observed) {
        observed.writeDay(marks.observed[index] ?? 0);
        at = writeTemplate(view, at, observed.template);
      } else {
        bytes[at] = rowEnd[0] ?? 0;
        bytes[at + 1] = rowEnd[1] ?? 0;
        at += rowEnd.length;
      }
    }
    this.length = at;
  }

  /** Ends the current chunk, which must have a row, and returns it. The next one overwrites it. */
  takeChunk(): Buffer {
    // The last separator moves to the next chunk, because the end of the body replaces it.
    const chunk = this.#buffer.bytes.subarray(0, this.length - this.#body.separator.length);
    this.length = 0;
    return chunk;
  }

  finish(): Buffer {
    const { separator, end } = this.#body;
    if (!this.isEmpty) this.length = Math.max(0, this.length - separator.length);
    this.#buffer.reserve(this.length, end.length);
    this.length = writeText(this.#buffer.bytes, this.length, end);
    return this.#buffer.bytes.subarray(0, this.length);
  }
}

const NO_DETAILS = createDetailWriter([], { format: 'json', precision: 'display' });

/** The parts of the rows of one body. The bytes before a rate are a template, in which only the date and the quote change. */
type RowLayout = ReturnType<typeof rowLayout>;

function rowLayout(
  { format, base, details: wanted = [], precision = 'display' }: EncodeOptions,
  { row, suffix, separator, rowEnd }: BodyLayout,
) {
  const isCsv = format === 'csv';
  const { template, writeDay } = datedTemplate(row.replace(BASE, base));
  const observed = wanted.includes('observed')
    ? datedTemplate((isCsv ? `,${DATE}` : `,"observed":"${DATE}"`) + suffix + separator)
    : undefined;
  const longestEnd = observed?.template.bytes.length ?? rowEnd.length;
  return {
    template,
    writeDay,
    quoteOffset: row.indexOf(QUOTE),
    rowEnd,
    observed,
    isCsv,
    write: precision === 'full' ? writeFullRate : writeRate,
    details: wanted.length > 0 ? createDetailWriter(wanted, { format, precision }) : NO_DETAILS,
    /** Upper bound of the bytes of a row without its marks and details. */
    longest: template.bytes.length + LONGEST_NUMBER + longestEnd,
  };
}

const CODE_LENGTH = 3;

/** The codes one after the other. */
function codesOf(quotes: readonly string[]): Uint8Array {
  const codes = new Uint8Array(quotes.length * CODE_LENGTH);
  quotes.forEach((quote, index) => {
    writeText(codes, index * CODE_LENGTH, quote);
  });
  return codes;
}

/** Few for each base: creating one takes longer than writing a short body. */
const datedTemplates = new Map<string, ReturnType<typeof newTemplate>>();

/** All encoders share it: each writes the date before its rows, and is not interrupted in between. */
function datedTemplate(text: string) {
  const known = datedTemplates.get(text);
  if (known) return known;
  const made = newTemplate(text);
  datedTemplates.set(text, made);
  return made;
}

function newTemplate(text: string) {
  const template = createTemplate(text);
  return { template, writeDay: createDateWriter(template, text.indexOf(DATE)) };
}

const LONGEST_SUSPICION = Math.max(...SUSPICION_REASONS.map((reason) => suspicionMembers(reason).length));

const LINE_END = '\n';
const DATE = 'YYYY-MM-DD';
const BASE = 'BBB';
const QUOTE = 'QQQ';
const JSON_ROW = `{"date":"${DATE}","base":"${BASE}","quote":"${QUOTE}","rate":`;

type BodyLayout = ReturnType<typeof bodyLayout>;

/** The texts of a body. `suffix` follows a rate and `separator` is between two rows: two bytes at most, together. */
function bodyLayout(row: string, suffix: string, { separator = '', open = '', end = '' } = {}) {
  return { row, suffix, separator, rowEnd: Buffer.from(suffix + separator), open, end };
}

const SINGLE = bodyLayout(JSON_ROW, '}');
const LAYOUTS: Record<Format, BodyLayout> = {
  json: bodyLayout(JSON_ROW, '}', { separator: ',', open: '[', end: ']' }),
  ndjson: bodyLayout(JSON_ROW, `}${LINE_END}`),
  csv: bodyLayout(`${DATE},${BASE},${QUOTE},`, LINE_END),
};
