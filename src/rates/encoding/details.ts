import { fromDayNumber } from '../../../core/domain/dates.js';
import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import { csvCell, type Format } from '../../formats/record-formats.js';
import type { Row, RowSource, Stats } from '../snapshot/row.js';
import {
  createDateWriter,
  createTemplate,
  numbersIn,
  writeDate,
  writeFullRate,
  writeNumber,
  writeRate,
  writeTemplate,
  writeText,
} from './ascii.js';

/** The details that a row may have besides its rate, in the order of writing. */
const DETAILS = ['minor_units', 'fixed', 'validity', 'observed', 'providers', 'stats', 'quality'] as const;

export type Detail = (typeof DETAILS)[number];

const COLUMNS: Record<Detail, readonly string[]> = {
  // Its codes identify it where there are no members.
  minor_units: [],
  // The same holds for the mark of an ended currency.
  fixed: [],
  validity: ['valid_from', 'valid_to'],
  observed: ['observed'],
  providers: ['providers'],
  stats: ['first', 'last', 'last_date', 'low', 'high', 'average', 'days'],
  quality: ['sources', 'excluded', 'spread', 'age_days', 'suspects', 'peg'],
};

/** Memory to write to, with room for the details. */
interface Target {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly view: DataView;
}

/** Writes the details of rows: members in JSON, cells in CSV. A row may lack some of them. */
export interface DetailWriter {
  readonly columns: readonly string[];
  /** Upper bound of the bytes of a row's details. */
  roomFor(row: Row): number;
  /** Writes the details at a position and returns the position after them. */
  write(target: Target, at: number, row: Row): number;
  /** Upper bound of the bytes of statistics alone. */
  readonly statsRoom: number;
  /** The same for statistics alone. */
  writeStats(target: Target, at: number, stats: Stats): number;
}

interface DetailOptions {
  format: Format;
  /** Whether rates have all their digits instead of those for display. */
  precision: 'display' | 'full';
}

type WriteDetail = (target: Target, at: number, row: Row) => number;

/** The bytes of a detail without its numbers, and of each source; a row may have any number of sources. */
const ROOM = 256;
/** The most numbers of a detail other than the sources. */
const MOST_NUMBERS = 6;

/** Keyed by what they write: a writer has no state, and creating one takes as long as writing a short body. */
const detailWriters = new Map<string, DetailWriter>();

export function detailWriterFor(wanted: readonly Detail[], options: DetailOptions): DetailWriter {
  // In a fixed order and each once, however often a client has named them.
  const details = DETAILS.filter((detail) => wanted.includes(detail));
  const key = `${options.format} ${options.precision} ${details}`;
  const known = detailWriters.get(key);
  if (known) return known;
  const writer = createDetailWriter(details, options);
  detailWriters.set(key, writer);
  return writer;
}

function createDetailWriter(details: readonly Detail[], { format, precision }: DetailOptions): DetailWriter {
  const writers = details.map((detail) =>
    format === 'csv' ? cellsWriter(detail, precision) : memberWriter(detail, precision),
  );
  const { longest } = numbersIn(format);
  const statsRoom = ROOM + MOST_NUMBERS * longest;
  return {
    columns: details.flatMap((detail) => COLUMNS[detail]),
    statsRoom,
    roomFor({ sources = [] }) {
      let room = details.length * statsRoom;
      for (const { key } of sources) room += ROOM + longest + key.length;
      return room;
    },
    write(target, start, row) {
      let at = start;
      for (const write of writers) at = write(target, at, row);
      return at;
    },
    writeStats: format === 'csv' ? writeStatsCells : writeStats,
  };
}

/** Writes `,"name":value`. The details of many rows are written without creating strings. */
function memberWriter(detail: Detail, precision: DetailOptions['precision']): WriteDetail {
  switch (detail) {
    case 'providers':
      return (target, at, { sources }) => (sources ? writeSources(target, at, sources, precision) : at);
    case 'stats':
      return (target, at, { stats }) => (stats ? writeStats(target, at, stats) : at);
    default:
      return ({ bytes }, at, row) => {
        let end = at;
        for (const [name, value] of membersOf(detail, row))
          end = writeText(bytes, end, `,"${name}":${JSON.stringify(value)}`);
        return end;
      };
  }
}

type Members = readonly (readonly [name: string, value: unknown])[];

/** The members of a row's detail; none if it lacks the detail. */
function membersOf(detail: Exclude<Detail, 'providers' | 'stats'>, row: Row): Members {
  const { minorUnits, fixed, validity, observed, quality } = row;
  switch (detail) {
    case 'minor_units':
      return minorUnits ? [['minor_units', minorUnits]] : [];
    case 'fixed':
      return fixed ? [['fixed', fixed]] : [];
    case 'validity':
      if (!validity) return [];
      return [
        ['valid_from', fromDayNumber(validity.from)],
        ['valid_to', fromDayNumber(validity.to)],
      ];
    case 'observed':
      return observed === undefined ? [] : [['observed', fromDayNumber(observed)]];
    case 'quality':
      return quality ? [['quality', quality]] : [];
  }
}

const PROVIDERS = createTemplate(',"providers":[');
const KEY = createTemplate('{"key":"');
const NEXT_KEY = createTemplate(',{"key":"');
const EXCLUDED = createTemplate(',"excluded":true');

/** The text from the key of a source to its rate. */
const KEY_TO_RATE = createTemplate('","date":"YYYY-MM-DD","rate":');
const writeDateOfSource = createDateWriter(KEY_TO_RATE, '","date":"'.length);

function writeSources(
  target: Target,
  start: number,
  sources: readonly RowSource[],
  precision: DetailOptions['precision'],
): number {
  const { bytes, view } = target;
  let at = writeTemplate(view, start, PROVIDERS);
  let day = Number.NaN;
  for (let index = 0; index < sources.length; index++) {
    const source = sources[index];
    if (!source) continue;
    at = writeTemplate(view, at, index === 0 ? KEY : NEXT_KEY);
    at = writeText(bytes, at, source.key);
    // Most sources have the same day as the one before.
    if (source.day !== day) writeDateOfSource(source.day);
    day = source.day;
    at = writeTemplate(view, at, KEY_TO_RATE);
    const write = source.published || precision === 'full' ? writeFullRate : writeRate;
    at = write(bytes, at, source.rate, String);
    if (source.suspect) at = writeText(bytes, at, `,"suspect":true,"reason":"${source.suspect}"`);
    else if (source.excluded) at = writeTemplate(view, at, EXCLUDED);
    at = writeText(bytes, at, '}');
  }
  return writeText(bytes, at, ']');
}

const FIRST = createTemplate(',"stats":{"first":');
const LAST = createTemplate(',"last":');
const LAST_DATE = createTemplate(',"last_date":"');
const LOW = createTemplate('","low":');
const HIGH = createTemplate(',"high":');
const AVERAGE = createTemplate(',"average":');
const DAYS = createTemplate(',"days":');
const NO_STATS =
  ',"stats":{"first":null,"last":null,"last_date":null,"low":null,"high":null,"average":null,"days":0}';

function writeStats({ bytes, view }: Target, start: number, stats: Stats): number {
  if (!('first' in stats)) return writeText(bytes, start, NO_STATS);
  let at = writeNumber(bytes, writeTemplate(view, start, FIRST), stats.first, String);
  at = writeNumber(bytes, writeTemplate(view, at, LAST), stats.last, String);
  at = writeDate(bytes, writeTemplate(view, at, LAST_DATE), stats.lastDay);
  at = writeNumber(bytes, writeTemplate(view, at, LOW), stats.low, String);
  at = writeNumber(bytes, writeTemplate(view, at, HIGH), stats.high, String);
  at = writeNumber(bytes, writeTemplate(view, at, AVERAGE), stats.average, String);
  at = writeNumber(bytes, writeTemplate(view, at, DAYS), stats.days, String);
  return writeText(bytes, at, '}');
}

const NO_STATS_CELLS = ',,,,,,,0';

function writeStatsCells({ bytes }: Target, start: number, stats: Stats): number {
  if (!('first' in stats)) return writeText(bytes, start, NO_STATS_CELLS);
  let at = writeCell(bytes, writeCell(bytes, start, stats.first), stats.last);
  at = writeDate(bytes, writeText(bytes, at, ','), stats.lastDay);
  at = writeCell(bytes, writeCell(bytes, at, stats.low), stats.high);
  return writeCell(bytes, writeCell(bytes, at, stats.average), stats.days);
}

function writeCell(bytes: Uint8Array, at: number, value: number): number {
  return writeNumber(bytes, writeText(bytes, at, ','), value, plainDecimal);
}

/** Writes the cells of a detail, each after a comma. They are empty if a row lacks the detail. */
function cellsWriter(detail: Detail, precision: DetailOptions['precision']): WriteDetail {
  switch (detail) {
    case 'providers':
      return ({ bytes }, at, { sources = [] }) =>
        writeText(bytes, at, `,${csvCell(sourcesCell(sources, precision))}`);
    case 'stats':
      return (target, at, { stats }) =>
        stats
          ? writeStatsCells(target, at, stats)
          : writeText(target.bytes, at, ','.repeat(COLUMNS.stats.length));
    default:
      return ({ bytes }, at, row) => {
        const members = detail === 'quality' ? Object.entries(row.quality ?? {}) : membersOf(detail, row);
        const values = new Map(members);
        return writeText(bytes, at, COLUMNS[detail].map((name) => `,${csvCell(values.get(name))}`).join(''));
      };
  }
}

function sourcesCell(sources: readonly RowSource[], precision: DetailOptions['precision']): string {
  const cells = sources.map(({ key, rate, published, excluded, suspect }) => {
    const shown = published || precision === 'full' ? roundForStorage(rate) : roundForDisplay(rate);
    return `${key}:${plainDecimal(shown)}${excluded ? '*' : ''}${suspect ? '?' : ''}`;
  });
  return cells.join('|');
}
