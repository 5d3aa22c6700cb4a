import { JSON_TYPE } from '../http/reply.js';
import { negotiateMediaType } from '../http/representation.js';
import type { PublicSuspect } from './schemas.js';

export const FORMATS = ['json', 'ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** The `content-type` of each format. */
export const CONTENT_TYPES: Record<Format, string> = {
  json: JSON_TYPE,
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const COLUMNS = [
  'provider',
  'date',
  'base',
  'quote',
  'rate',
  'reason',
  'expected',
  'others',
  'status',
  'suspected_at',
  'resolved_at',
] as const satisfies readonly (keyof PublicSuspect)[];

/** The format that the client prefers; JSON by default and if it accepts none. */
export function formatFor(accept: string | undefined): Format {
  const type = negotiateMediaType(
    accept,
    FORMATS.map((format) => CONTENT_TYPES[format]),
  );
  return FORMATS.find((format) => CONTENT_TYPES[format] === type) ?? 'json';
}

/** Suspects as the text of a body. No value has a comma or a quote in it. */
export function encodeSuspects(suspects: readonly PublicSuspect[], format: Format): string {
  if (format === 'json') return JSON.stringify(suspects);
  if (format === 'ndjson') return suspects.map((suspect) => `${JSON.stringify(suspect)}\n`).join('');
  const lines = suspects.map((suspect) => COLUMNS.map((column) => suspect[column]).join());
  return [COLUMNS.join(), ...lines, ''].join('\n');
}
