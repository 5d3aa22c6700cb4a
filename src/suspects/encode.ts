import { encodeRecords, type Format } from '../http/record-formats.js';
import type { PublicSuspect } from './schemas.js';

const COLUMNS = [
  'provider',
  'date',
  'base',
  'quote',
  'rate',
  'reason',
  'expected',
  'others',
  'against',
  'status',
  'suspected_at',
  'resolved_at',
] as const satisfies readonly (keyof PublicSuspect)[];

/** Suspects as the text of a body. In CSV what a rate was held against is one cell: `KEY:DATE:RATE` with `|` between. */
export function encodeSuspects(suspects: readonly PublicSuspect[], format: Format): string {
  if (format !== 'csv') return encodeRecords(suspects, [], format);
  return encodeRecords(
    suspects.map((suspect) => ({ ...suspect, against: cellOf(suspect) })),
    COLUMNS,
    format,
  );
}

function cellOf({ against }: PublicSuspect): string {
  return against.map(({ provider, date, rate }) => [provider, date, rate].join(':')).join('|');
}
