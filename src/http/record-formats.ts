import { JSON_TYPE } from './reply.js';
import { negotiateMediaType } from './representation.js';

/** The formats of lists of records. */
export const FORMATS = ['json', 'ndjson', 'csv'] as const;

export type Format = (typeof FORMATS)[number];

/** The `content-type` of each format. */
export const CONTENT_TYPES: Record<Format, string> = {
  json: JSON_TYPE,
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const OFFERED = FORMATS.map((format) => CONTENT_TYPES[format]);

/** The format that the client prefers; JSON by default and if it accepts none. */
export function formatFor(accept: string | undefined): Format {
  const type = negotiateMediaType(accept, OFFERED);
  return FORMATS.find((format) => CONTENT_TYPES[format] === type) ?? 'json';
}

/** Records as the text of a body, in CSV with these columns. No value may have a comma, a quote or a line end in it. */
export function encodeRecords<Key extends string>(
  records: readonly Readonly<Record<Key, string | number | null>>[],
  columns: readonly Key[],
  format: Format,
): string {
  if (format === 'json') return JSON.stringify(records);
  if (format === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const lines = records.map((record) => columns.map((column) => record[column]).join());
  return [columns.join(), ...lines, ''].join('\n');
}
