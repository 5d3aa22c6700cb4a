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
  'status',
  'suspected_at',
  'resolved_at',
] as const satisfies readonly (keyof PublicSuspect)[];

/** Suspects as the text of a body. */
export function encodeSuspects(suspects: readonly PublicSuspect[], format: Format): string {
  return encodeRecords(suspects, COLUMNS, format);
}
