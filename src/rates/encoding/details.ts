import { fromDayNumber } from '../../../core/domain/dates.js';
import { roundForDisplay, roundForStorage } from '../../../core/domain/rounding.js';
import type { Format } from '../../http/record-formats.js';
import type { Row, RowSource, Stats } from '../snapshot/row.js';
import { LONGEST_NUMBER, writeDate, writeFullRate, writeNumber, writeRate, writeText } from './ascii.js';

/** What a row may have beside its rate, in the order in which it is written. */
const DETAILS = ['validity', 'observed', 'providers', 'stats', 'quality'] as const;

export type Detail = (typeof DETAILS)[number];

const COLUMNS: Record<Detail, readonly string[]> = {
  validity: ['valid_from', 'valid_to'],
  observed: ['observed'],
  providers: ['providers'],
  stats: ['first', 'last', 'last_date', 'low', 'high', 'average', 'days'],
  quality: ['sources', 'excluded', 'spread', 'age_days', 'suspects', 'peg'],
};

/** Writes the details of rows: members in JSON, cells in CSV. A row may lack some of them. */
export interface DetailWriter {
  /** The names of their columns in CSV. */
  readonly columns: readonly string[];
  /** Upper bound of the bytes that the details of a row take. */
  roomFor(row: Row): number;
  /** Writes them at a position and returns the position after them. */
  write(bytes: Uint8Array, at: number, row: Row): number;
  /** The same for statistics alone. They take less than `STATS_ROOM`. */
  writeStats(bytes: Uint8Array, at: number, stats: Stats): number;
}

interface DetailOptions {
  format: Format;
  /** Whether rates have all their digits instead of those for display. */
  precision: 'display' | 'full';
}

type WriteDetail = (bytes: Uint8Array, at: number, row: Row) => number;

// All details but the sources, of which there may be any number.
const ROOM = 1_024;

/** Upper bound of the bytes that statistics take. */
export const STATS_ROOM = ROOM;
const ROOM_FOR_SOURCE = 128 + LONGEST_NUMBER;

export function createDetailWriter(
  wanted: readonly Detail[],
  { format, precision }: DetailOptions,
): DetailWriter {
  const details = DETAILS.filter((detail) => wanted.includes(detail));
  const writers = details.map((detail) =>
    format === 'csv' ? cellsWriter(detail, precision) : memberWriter(detail, precision),
  );
  return {
    columns: details.flatMap((detail) => COLUMNS[detail]),
    roomFor({ sources = [] }) {
      let room = details.length * ROOM;
      for (const { key } of sources) room += ROOM_FOR_SOURCE + key.length;
      return room;
    },
    write(bytes, start, row) {
      let at = start;
      for (const write of writers) at = write(bytes, at, row);
      return at;
    },
    writeStats: format === 'csv' ? writeStatsCells : writeStats,
  };
}

/** Writes `,"name":value`. The details of many rows are written without creating strings. */
function memberWriter(detail: Detail, precision: DetailOptions['precision']): WriteDetail {
  switch (detail) {
    case 'validity':
      return (bytes, at, { validity }) =>
        validity
          ? writeText(
              bytes,
              at,
              `,"valid_from":"${fromDayNumber(validity.from)}","valid_to":"${fromDayNumber(validity.to)}"`,
            )
          : at;
    case 'observed':
      return (bytes, at, { observed }) =>
        observed === undefined ? at : writeText(bytes, at, `,"observed":"${fromDayNumber(observed)}"`);
    case 'providers':
      return (bytes, at, { sources }) => (sources ? writeSources(bytes, at, sources, precision) : at);
    case 'stats':
      return (bytes, at, { stats }) => (stats ? writeStats(bytes, at, stats) : at);
    case 'quality':
      return (bytes, at, { quality }) =>
        quality ? writeText(bytes, at, `,"quality":${JSON.stringify(quality)}`) : at;
  }
}

function writeSources(
  bytes: Uint8Array,
  start: number,
  sources: readonly RowSource[],
  precision: DetailOptions['precision'],
): number {
  let at = writeText(bytes, start, ',"providers":[');
  for (let index = 0; index < sources.length; index++) {
    const source = sources[index];
    if (!source) continue;
    at = writeText(bytes, at, index === 0 ? '{"key":"' : ',{"key":"');
    at = writeText(bytes, at, source.key);
    at = writeText(bytes, at, '","date":"');
    at = writeDate(bytes, at, source.day);
    at = writeText(bytes, at, '","rate":');
    const write = source.published || precision === 'full' ? writeFullRate : writeRate;
    at = write(bytes, at, source.rate);
    if (source.suspect) at = writeText(bytes, at, `,"suspect":true,"reason":"${source.suspect}"`);
    else if (source.excluded) at = writeText(bytes, at, ',"excluded":true');
    at = writeText(bytes, at, '}');
  }
  return writeText(bytes, at, ']');
}

function writeStats(bytes: Uint8Array, start: number, stats: Stats): number {
  const { first, last, lastDay, low, high, average, days } = stats;
  let at = writeValue(bytes, writeText(bytes, start, ',"stats":{"first":'), first);
  at = writeValue(bytes, writeText(bytes, at, ',"last":'), last);
  at = writeText(bytes, at, ',"last_date":');
  if (lastDay === null) at = writeText(bytes, at, 'null');
  else at = writeText(bytes, writeDate(bytes, writeText(bytes, at, '"'), lastDay), '"');
  at = writeValue(bytes, writeText(bytes, at, ',"low":'), low);
  at = writeValue(bytes, writeText(bytes, at, ',"high":'), high);
  at = writeValue(bytes, writeText(bytes, at, ',"average":'), average);
  at = writeValue(bytes, writeText(bytes, at, ',"days":'), days);
  return writeText(bytes, at, '}');
}

function writeStatsCells(bytes: Uint8Array, start: number, stats: Stats): number {
  const { first, last, lastDay, low, high, average, days } = stats;
  let at = writeCell(bytes, writeCell(bytes, start, first), last);
  at = writeText(bytes, at, ',');
  if (lastDay !== null) at = writeDate(bytes, at, lastDay);
  at = writeCell(bytes, writeCell(bytes, at, low), high);
  return writeCell(bytes, writeCell(bytes, at, average), days);
}

function writeCell(bytes: Uint8Array, start: number, value: number | null): number {
  const at = writeText(bytes, start, ',');
  return value === null ? at : writeNumber(bytes, at, value);
}

function writeValue(bytes: Uint8Array, at: number, value: number | null): number {
  return value === null ? writeText(bytes, at, 'null') : writeNumber(bytes, at, value);
}

/** Writes the cells of a detail, each after a comma; empty ones where a row lacks it. */
function cellsWriter(detail: Detail, precision: DetailOptions['precision']): WriteDetail {
  if (detail === 'stats') {
    return (bytes, at, { stats }) =>
      stats ? writeStatsCells(bytes, at, stats) : writeText(bytes, at, ','.repeat(COLUMNS.stats.length));
  }
  return (bytes, at, row) => {
    const cells = detail === 'providers' ? [sourcesCell(row.sources ?? [], precision)] : cellsOf(detail, row);
    return writeText(bytes, at, COLUMNS[detail].map((_, index) => `,${cells[index] ?? ''}`).join(''));
  };
}

type Cell = string | number | boolean | null;

/** The values of a detail's columns, in their order. */
function cellsOf(detail: Exclude<Detail, 'providers' | 'stats'>, row: Row): readonly Cell[] {
  const { validity, observed, quality } = row;
  switch (detail) {
    case 'validity':
      return validity ? [fromDayNumber(validity.from), fromDayNumber(validity.to)] : [];
    case 'observed':
      return observed === undefined ? [] : [fromDayNumber(observed)];
    case 'quality': {
      const values = new Map<string, Cell>(Object.entries(quality ?? {}));
      return COLUMNS.quality.map((name) => values.get(name) ?? null);
    }
  }
}

function sourcesCell(sources: readonly RowSource[], precision: DetailOptions['precision']): string {
  const cells = sources.map(({ key, rate, published, excluded, suspect }) => {
    const shown = published || precision === 'full' ? roundForStorage(rate) : roundForDisplay(rate);
    return `${key}:${shown}${excluded ? '*' : ''}${suspect ? '?' : ''}`;
  });
  return cells.join('|');
}
