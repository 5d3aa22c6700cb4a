import * as z from 'zod';
import { SUSPECT_STATUSES } from '../../core/domain/blend/suspect.js';
import { plainDecimal } from '../../core/domain/plain-decimal.js';
import type { PublicSuspect } from '../catalogue/suspect.js';
import type { Format } from '../formats/record-formats.js';
import {
  currencyList,
  listOf,
  observationDates,
  pageLimit,
  providerList,
} from '../parameters/currency-parameters.js';

export const suspectsQuery = z.object({
  providers: providerList.optional().meta({
    description: 'Only rates of these sources: keys separated by commas',
    examples: ['CBG'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only rates of these currencies, on either side of the pair: codes separated by commas',
    examples: ['SEK,NOK'],
  }),
  ...observationDates,
  status: listOf(SUSPECT_STATUSES)
    .optional()
    .meta({
      type: 'string',
      description: `Only those with these statuses, separated by commas: ${SUSPECT_STATUSES.join(', ')}`,
      examples: ['held,rejected'],
    }),
  limit: pageLimit,
});

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
  'shipped',
] as const satisfies readonly (keyof PublicSuspect)[];

/** In CSV the rates compared with are one cell: `KEY:DATE:RATE` separated by `|`. */
export function* suspectRecords(
  suspects: Iterable<PublicSuspect>,
  format: Format,
): Generator<Readonly<Partial<Record<(typeof SUSPECT_COLUMNS)[number], unknown>>>> {
  for (const suspect of suspects) {
    yield format === 'csv' ? { ...suspect, against: cellOf(suspect) } : suspect;
  }
}

function cellOf({ against }: PublicSuspect): string {
  return against.map(({ provider, date, rate }) => [provider, date, plainDecimal(rate)].join(':')).join('|');
}
