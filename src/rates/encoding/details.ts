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
const DETAILS = [
  'minor_units',
  'fixed',
  'validity',
  'observed',
  'providers',
  'stats',
  'quality',
  'sides',
] as const;

export type Detail = (typeof DETAILS)[number];

const COLUMNS: Record<Detail, readonly string[]> = {
  // Their codes identify them where there are no members.
  minor_units: [],
  fixed: [],
  validity: ['valid_from', 'valid_to'],
  observed: ['observed'],
  providers: ['providers'],
  stats: ['first', 'last', 'last_date', 'low', 'high', 'average', 'days'],
  quality: ['sources', 'excluded', 'spread', 'age_days', 'suspects', 'peg'],
  sides: ['buy', 'sell'],
};

/** The same memory as bytes and as a view. */
interface Target {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** Writes the details of rows: members in JSON, cells in CSV. A row may lack some of them. */
export interface DetailWriter {
  readonly columns: readonly string[];
  /** Upper bound of the bytes of a row's details. */
  roomFor(row: Row): number;
  write(target: Target, at: number, row: Row): number;
  /** Upper bound of the bytes of statistics alone. */
  readonly statsRoom: number;
  writeStats(target: Target, at: number, stats: Stats): number;
}

interface DetailOptions {
  format: Format;
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
  const { longest } = numbersIn(format);
  const statsRoom = ROOM + MOST_NUMBERS * longest;
  const writeStats = statsWriter(format);
  const isCsv = format === 'csv';
  const writerOf = (detail: Detail): WriteDetail => {
    if (detail === 'stats') {
      const absent = isCsv ? ','.repeat(COLUMNS.stats.length) : '';
      return (target, at, { stats }) =>
        stats ? writeStats(target, at, stats) : writeText(target.bytes, at, absent);
    }
    if (detail !== 'providers') return isCsv ? cellsWriter(detail) : memberWriter(detail);
    if (isCsv)
      return ({ bytes }, at, { sources = [] }) =>
        writeText(bytes, at, `,${csvCell(sourcesCell(sources, precision))}`);
    return (target, at, { sources }) => (sources ? writeSources(target, at, sources, precision) : at);
  };
  const writers = details.map(writerOf);
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
    writeStats,
  };
}

/** The details of rows that are short, or rarely requested for many rows: their members, if the row has the detail. */
const MEMBERS = {
  minor_units: ({ minorUnits }: Row) => minorUnits && { minor_units: minorUnits },
  fixed: ({ fixed }: Row) => fixed && { fixed },
  validity: ({ validity }: Row) =>
    validity && { valid_from: fromDayNumber(validity.from), valid_to: fromDayNumber(validity.to) },
  observed: ({ observed }: Row) =>
    observed === undefined ? undefined : { observed: fromDayNumber(observed) },
  quality: ({ quality }: Row) => quality && { quality },
  sides: ({ sides }: Row) => sides,
};

/** Writes `,"name":value` for each member of a detail. */
function memberWriter(detail: keyof typeof MEMBERS): WriteDetail {
  return ({ bytes }, at, row) => {
    const members = MEMBERS[detail](row);
    return members ? writeText(bytes, at, `,${JSON.stringify(members).slice(1, -1)}`) : at;
  };
}

/** Writes the cells of a detail, each after a comma. They are empty if a row lacks the detail. */
function cellsWriter(detail: keyof typeof MEMBERS): WriteDetail {
  return ({ bytes }, at, row) => {
    const cells: Readonly<Record<string, unknown>> =
      (detail === 'quality' ? row.quality : MEMBERS[detail](row)) ?? {};
    return writeText(bytes, at, COLUMNS[detail].map((name) => `,${csvCell(cells[name])}`).join(''));
  };
}

const PROVIDERS = createTemplate(',"providers":[');
const KEY = createTemplate('{"key":"');
const NEXT_KEY = createTemplate(',{"key":"');
const EXCLUDED = createTemplate(',"excluded":true');

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

/** The figures of statistics, and the text before each in JSON. */
const FIGURES = [
  ['first', ',"stats":{"first":'],
  ['last', ',"last":'],
  ['lastDay', ',"last_date":"'],
  ['low', '","low":'],
  ['high', ',"high":'],
  ['average', ',"average":'],
  ['days', ',"days":'],
] as const;
const NO_FIGURES =
  ',"stats":{"first":null,"last":null,"last_date":null,"low":null,"high":null,"average":null,"days":0}';

function statsWriter(format: Format): DetailWriter['writeStats'] {
  const [none, end] = format === 'csv' ? [',,,,,,,0', ''] : [NO_FIGURES, '}'];
  const { textOf } = numbersIn(format);
  const figures = FIGURES.map(([name, text]) => {
    return { name, before: createTemplate(format === 'csv' ? ',' : text) };
  });
  return ({ bytes, view }, start, stats) => {
    if (!('first' in stats)) return writeText(bytes, start, none);
    let at = start;
    for (const { name, before } of figures) {
      at = writeTemplate(view, at, before);
      if (name === 'lastDay') at = writeDate(bytes, at, stats.lastDay);
      else at = writeNumber(bytes, at, stats[name], textOf);
    }
    return writeText(bytes, at, end);
  };
}

function sourcesCell(sources: readonly RowSource[], precision: DetailOptions['precision']): string {
  const cells = sources.map(({ key, rate, published, excluded, suspect }) => {
    const shown = published || precision === 'full' ? roundForStorage(rate) : roundForDisplay(rate);
    return `${key}:${plainDecimal(shown)}${excluded ? '*' : ''}${suspect ? '?' : ''}`;
  });
  return cells.join('|');
}
