import { fromDayNumber } from '../../core/dates.js';
import { presentRate } from '../../core/numbers.js';
import { writeRate, writeText } from './decimal-bytes.js';
import type { DatedRows, Row, RowSource } from './rows.js';

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
const CODE_LENGTH = 3;
const LINE_END = '\n';

/** Writes rows out as chunks of bytes, drawing dates only as chunks are drawn. The first chunk may be given. */
export function* encodeRows(
  dates: Iterable<DatedRows>,
  options: EncodeOptions,
  first?: Buffer,
): Generator<Buffer> {
  const encoder = createRowEncoder(options, first);
  for (const dated of dates) yield* encoder.encode(dated);
  yield encoder.finish();
}

// The first chunk of every whole body: it is made and copied in one go, with nothing in between.
const scratch = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/** A whole body at once, in memory of its own: a slice would keep more alive than itself for as long as it is kept. */
export function encodeWhole(dates: readonly DatedRows[], options: EncodeOptions): Buffer {
  const chunks = [...encodeRows(dates, options, scratch)];
  const body = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(body, at);
  return body;
}

/** Turns rows into bytes. */
export interface RowEncoder {
  /** Takes the rows of a date in; returns the chunks that got full, most often none. */
  encode(dated: DatedRows): Buffer[];
  /** The end of the body: all that is left. */
  finish(): Buffer;
}

/**
 * Begins a body, in a chunk that may be given. What all rows have in common is laid out once, the date put into it
 * for each date, and copied for each row; quote and rate are then written into the copy.
 */
export function createRowEncoder(options: EncodeOptions, first?: Buffer): RowEncoder {
  const { format, expanded, chunkBytes = CHUNK_BYTES } = options;
  const parts = partsOf(options);
  const dateFromStart = parts.between.length + parts.beforeDate.length;
  const common = Buffer.from(
    `${parts.between}${parts.beforeDate}YYYY-MM-DD${parts.beforeQuote}???${parts.beforeRate}`,
    'latin1',
  );
  const quoteFromEnd = parts.beforeRate.length + CODE_LENGTH;
  const hasSources = (row: Row) => row.sources !== undefined || (expanded && format === 'csv');
  let bytes = first ?? Buffer.allocUnsafe(Math.max(chunkBytes, LONGEST_PLAIN_ROW));
  let at = writeText(bytes, 0, format === 'csv' ? header(expanded) : parts.open);
  let skipped = parts.between.length;

  return {
    encode({ day, rows }) {
      const full: Buffer[] = [];
      writeText(common, dateFromStart, dateText(day));
      for (const row of rows) {
        const tail = hasSources(row) ? encodeSources(row.sources, format) : '';
        const room = LONGEST_PLAIN_ROW + tail.length;
        if (at + room > bytes.length) {
          if (at > 0) full.push(bytes.subarray(0, at));
          bytes = Buffer.allocUnsafe(Math.max(chunkBytes, room));
          at = 0;
        }
        at += common.copy(bytes, at, skipped);
        // Nothing goes before the first row.
        skipped = 0;
        writeText(bytes, at - quoteFromEnd, row.quote);
        at = row.published ? writeText(bytes, at, String(row.rate)) : writeRate(bytes, at, row.rate);
        if (tail !== '') at = writeText(bytes, at, tail);
        at = writeText(bytes, at, parts.afterRow);
      }
      return full;
    },
    finish() {
      // The longest row leaves room for the end.
      at = writeText(bytes, at, parts.close);
      return bytes.subarray(0, at);
    },
  };
}

// Few days have rates at all, and each is written for many rows.
const dateTexts = new Map<number, string>();

function dateText(day: number): string {
  const known = dateTexts.get(day);
  if (known !== undefined) return known;
  const text = fromDayNumber(day);
  dateTexts.set(day, text);
  return text;
}

/** What stands around the changing parts of a body. */
interface Parts {
  open: string;
  between: string;
  beforeDate: string;
  beforeQuote: string;
  beforeRate: string;
  afterRow: string;
  close: string;
}

function partsOf({ format, base, single }: EncodeOptions): Parts {
  if (format === 'csv') {
    const row = { beforeDate: '', beforeQuote: `,${base},`, beforeRate: ',', afterRow: LINE_END };
    return { ...row, open: '', between: '', close: '' };
  }
  const row = {
    beforeDate: '{"date":"',
    beforeQuote: `","base":"${base}","quote":"`,
    beforeRate: '","rate":',
  };
  if (single && format === 'json') return { ...row, open: '', between: '', afterRow: '}', close: '' };
  return format === 'json'
    ? { ...row, open: '[', between: ',', afterRow: '}', close: ']' }
    : { ...row, open: '', between: '', afterRow: `}${LINE_END}`, close: '' };
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
  const entry = { key, date: dateText(day), rate: shown(source) };
  return excluded ? { ...entry, excluded } : entry;
}

function shown({ rate, published }: RowSource): number {
  return published ? rate : presentRate(rate);
}
