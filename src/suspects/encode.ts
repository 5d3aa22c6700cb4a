import { plainDecimal } from '../../core/domain/plain-decimal.js';
import type { PublicSuspect } from '../catalogue/suspect.js';
import type { Format } from '../formats/record-formats.js';

export const SUSPECT_COLUMNS = [
  'provider',
  'date',
  'base',
  'quote',
  'rate',
  'reason',
  'expected',
  'others',
  'rates',
  'against',
  'status',
  'suspected_at',
  'resolved_at',
] as const satisfies readonly (keyof PublicSuspect)[];

/**
 * Generates suspects as records of a format. In CSV the rates compared with are one cell: `KEY:DATE:RATE` separated by `|`.
 */
export function* suspectRecords(
  suspects: Iterable<PublicSuspect>,
  format: Format,
): Generator<Readonly<Record<(typeof SUSPECT_COLUMNS)[number], unknown>>> {
  for (const suspect of suspects) {
    yield format === 'csv' ? { ...suspect, against: cellOf(suspect) } : suspect;
  }
}

function cellOf({ against }: PublicSuspect): string {
  return against.map(({ provider, date, rate }) => [provider, date, plainDecimal(rate)].join(':')).join('|');
}
