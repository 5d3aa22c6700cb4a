import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { fromDayNumber } from '../../../core/domain/dates.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import { csvCell } from '../../formats/record-formats.js';
import type { Format } from '../../http/reply.js';
import { type Row, type RowSource, shownRate } from '../snapshot/row.js';
import {
  createDateWriter,
  createTemplate,
  LONGEST_NUMBER,
  writeFullRate,
  writeRate,
  writeTemplate,
  writeText,
} from './ascii.js';

/** The details that a row may have besides its rate, in the order of writing, and their columns in CSV. */
const COLUMNS = {
  // Their codes identify them where there are no members.
  minor_units: [],
  fixed: [],
  validity: ['valid_from', 'valid_to'],
  observed: ['observed'],
  providers: ['providers'],
  stats: ['first', 'last', 'last_date', 'low', 'high', 'average', 'days'],
  quality: ['sources', 'excluded', 'spread', 'age_days', 'suspects', 'peg'],
  sides: ['buy', 'sell'],
} as const;

export type Detail = keyof typeof COLUMNS;

const DETAILS = Object.keys(COLUMNS) as Detail[];

/** The same memory as bytes and as a view. */
interface Target {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

/** A row without its rate. */
type DetailedRow = Partial<Row>;

interface DetailOptions {
  format: Format;
  precision: 'display' | 'full';
}

type WriteDetail = (target: Target, at: number, row: DetailedRow) => number;

/** The bytes of a detail without its numbers, and of each source; a row may have any number of sources. */
const ROOM = 256;
/** The most numbers of a detail other than the sources. */
const MOST_NUMBERS = 6;

/** Writes the details of rows: members in JSON, cells in CSV. A row may lack some of them. */
export function createDetailWriter(wanted: readonly Detail[], { format, precision }: DetailOptions) {
  const isCsv = format === 'csv';
  const writerOf = (detail: Detail): WriteDetail => {
    if (detail !== 'providers') return isCsv ? cellsWriter(detail) : memberWriter(detail);
    if (isCsv)
      return ({ bytes }, at, { sources = [] }) =>
        writeText(bytes, at, `,${csvCell(sourcesCell(sources, precision))}`);
    return (target, at, { sources }) => (sources ? writeSources(target, at, sources, precision) : at);
  };
  // In a fixed order and each once, however often a client has named them.
  const details = DETAILS.filter((detail) => wanted.includes(detail));
  const writers = details.map(writerOf);
  return {
    columns: details.flatMap((detail) => COLUMNS[detail]),
    /** Upper bound of the bytes of a row's details. */
    roomFor({ sources = [] }: DetailedRow): number {
      let room = details.length * (ROOM + MOST_NUMBERS * LONGEST_NUMBER);
      for (const { key } of sources) room += ROOM + LONGEST_NUMBER + key.length;
      return room;
    },
    write(target: Target, start: number, row: DetailedRow): number {
      let at = start;
      for (const write of writers) at = write(target, at, row);
      return at;
    },
  };
}

/** The details of rows that are short, or rarely requested for many rows: their members, if the row has the detail. */
const MEMBERS = {
  minor_units: ({ minorUnits }: DetailedRow) => minorUnits && { minor_units: minorUnits },
  fixed: ({ fixed }: DetailedRow) => fixed && { fixed },
  validity: ({ validity }: DetailedRow) =>
    validity && { valid_from: fromDayNumber(validity.from), valid_to: fromDayNumber(validity.to) },
  observed: ({ observed }: DetailedRow) =>
    observed === undefined ? undefined : { observed: fromDayNumber(observed) },
  stats: ({ stats }: DetailedRow) => stats && { stats },
  quality: ({ quality }: DetailedRow) => quality && { quality },
  sides: ({ sides }: DetailedRow) => sides,
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
    const members: Cells = MEMBERS[detail](row) ?? {};
    const { [detail]: member } = members;
    const cells = typeof member === 'object' ? (member as Cells) : members;
    return writeText(bytes, at, COLUMNS[detail].map((name) => `,${csvCell(cells[name])}`).join(''));
  };
}

type Cells = Readonly<Record<string, unknown>>;

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
  for (let index = 0; index < sources.length; index++) {
    const source = sources[index];
    if (!source) continue;
    at = writeTemplate(view, at, index === 0 ? KEY : NEXT_KEY);
    at = writeText(bytes, at, source.key);
    writeDateOfSource(source.day);
    at = writeTemplate(view, at, KEY_TO_RATE);
    const write = source.published || precision === 'full' ? writeFullRate : writeRate;
    at = write(bytes, at, source.rate);
    if (source.suspect) at = writeText(bytes, at, suspicionMembers(source.suspect));
    else if (source.excluded) at = writeTemplate(view, at, EXCLUDED);
    at = writeText(bytes, at, '}');
  }
  return writeText(bytes, at, ']');
}

/** The members of a suspect rate, of a row as of a source. */
export function suspicionMembers(reason: SuspicionReason): string {
  return `,"suspect":true,"reason":"${reason}"`;
}

function sourcesCell(sources: readonly RowSource[], precision: DetailOptions['precision']): string {
  const cells = sources.map((source) => {
    const shown = plainDecimal(shownRate(source, precision));
    return `${source.key}:${shown}${source.excluded ? '*' : ''}${source.suspect ? '?' : ''}`;
  });
  return cells.join('|');
}
