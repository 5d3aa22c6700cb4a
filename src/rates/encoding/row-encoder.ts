import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForDisplay } from '../../../core/domain/rounding.js';
import type { DatedRows, PlainRows, RowSource, TakeRates } from '../snapshot/rows.js';
import { givePage, type Page, takePage } from './buffers.js';
import { writeRate } from './decimal-bytes.js';
import { type Pattern, patternOf, writeDate, writePattern, writeText } from './text-bytes.js';

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

// A row without sources is at most some 90 bytes long.
const LONGEST_PLAIN_ROW = 128;
const LINE_END = '\n';

/**
 * A whole body at once, in memory of its own: a slice would keep more alive than itself for as long as it is kept.
 * Undefined where there is no row and no list to be empty.
 */
export function encodeWhole(
  rows: PlainRows | Iterable<DatedRows>,
  options: EncodeOptions,
): Buffer | undefined {
  const encoder = createRowEncoder(options, quotesOf(rows));
  if ('draw' in rows) rows.draw(encoder.takeRates, Number.POSITIVE_INFINITY);
  else for (const dated of rows) encoder.takeRows(dated);
  const chunks = [...encoder.full(), encoder.finish()];
  const body = options.single && encoder.isEmpty() ? undefined : joined(chunks);
  for (const chunk of chunks) givePage(chunk);
  return body;
}

function joined(chunks: readonly Buffer[]): Buffer {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(whole, at);
  return whole;
}

const RATES_AT_ONCE = 256;

/** A body as chunks of bytes, each in a page of its own; rows are drawn only as chunks are. */
export async function* encodeChunks(
  rows: PlainRows | Iterable<DatedRows> | AsyncIterable<DatedRows>,
  options: EncodeOptions,
): AsyncGenerator<Buffer> {
  const encoder = createRowEncoder(options, quotesOf(rows));
  if ('draw' in rows) {
    while (rows.draw(encoder.takeRates, RATES_AT_ONCE)) yield* encoder.full();
  } else {
    for await (const dated of rows) {
      encoder.takeRows(dated);
      yield* encoder.full();
    }
  }
  yield* encoder.full();
  yield encoder.finish();
}

function quotesOf(rows: PlainRows | object): readonly string[] {
  return 'quotes' in rows ? rows.quotes : [];
}

/** Turns rows into bytes. */
export interface RowEncoder {
  /** Takes rates in step with the quotes that the encoder was made for. */
  takeRates: TakeRates;
  takeRows(dated: DatedRows): void;
  isEmpty(): boolean;
  /** The chunks that got full since this was asked last, most often none. */
  full(): Buffer[];
  /** The end of the body: all that is left. */
  finish(): Buffer;
}

/**
 * Begins a body. What stands before a rate is the same in every row but for the date and the quote: it is copied, and
 * these are put into it.
 */
export function createRowEncoder(options: EncodeOptions, quotes: readonly string[]): RowEncoder {
  const { format, base, expanded, single } = options;
  const { open, row, behind, between, end } = single && format === 'json' ? SINGLE : LAYOUTS[format];
  const layout: RowLayout = {
    pattern: patternOf(row.replace(BASE, base)),
    quoteAt: row.indexOf(QUOTE),
    codes: Buffer.from(quotes.join(''), 'latin1'),
    behind: Buffer.from(behind + between),
  };
  const dateAt = row.indexOf(DATE);
  let full: Buffer[] = [];
  let page = takePage();
  let at = writeText(page.bytes, 0, format === 'csv' ? header(expanded) : open);
  let isEmpty = true;

  /** A chunk ends with a row, and what stands between two begins the next: nothing that has left is taken back. */
  const makeRoom = (room: number) => {
    if (at + room <= page.bytes.length) return;
    full.push(page.bytes.subarray(0, at - between.length));
    page = takePage();
    at = writeText(page.bytes, 0, between);
  };

  return {
    takeRates(day, rates) {
      makeRoom(rates.length * LONGEST_PLAIN_ROW);
      writeDate(layout.pattern.bytes, dateAt, day);
      const before = at;
      at = writeRows(page, at, layout, rates);
      isEmpty &&= at === before;
    },
    takeRows({ day, rows }) {
      writeDate(layout.pattern.bytes, dateAt, day);
      for (const { quote, rate, published, sources } of rows) {
        const tail = sources || (expanded && format === 'csv') ? encodeSources(sources, format) : '';
        makeRoom(LONGEST_PLAIN_ROW + tail.length);
        const { bytes, view } = page;
        writePattern(view, at, layout.pattern);
        writeText(bytes, at + layout.quoteAt, quote);
        at += layout.pattern.length;
        at = published ? writeText(bytes, at, String(rate)) : writeRate(bytes, at, rate);
        at = writeText(bytes, at, tail + behind + between);
        isEmpty = false;
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
      at = writeText(page.bytes, isEmpty ? at : at - between.length, end);
      return page.bytes.subarray(0, at);
    },
  };
}

/** How the rows of one body are written. */
interface RowLayout {
  /** What stands before the rate, with the date in it. */
  pattern: Pattern;
  /** Where the quote stands in it. */
  quoteAt: number;
  /** The codes of the quotes, one behind the other. */
  codes: Uint8Array;
  /** What stands behind a row: two characters at most. */
  behind: Uint8Array;
}

const CODE_LENGTH = 3;

/** Writes the rows of one date and returns the position after them: nearly all the time of a long answer. */
function writeRows(
  { bytes, view }: Page,
  start: number,
  { pattern, quoteAt, codes, behind }: RowLayout,
  rates: Float64Array,
): number {
  let at = start;
  for (let index = 0; index < rates.length; index++) {
    const rate = rates[index] ?? Number.NaN;
    if (Number.isNaN(rate)) continue;
    writePattern(view, at, pattern);
    const code = index * CODE_LENGTH;
    bytes[at + quoteAt] = codes[code] ?? 0;
    bytes[at + quoteAt + 1] = codes[code + 1] ?? 0;
    bytes[at + quoteAt + 2] = codes[code + 2] ?? 0;
    at = writeRate(bytes, at + pattern.length, rate);
    bytes[at] = behind[0] ?? 0;
    bytes[at + 1] = behind[1] ?? 0;
    at += behind.length;
  }
  return at;
}

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
