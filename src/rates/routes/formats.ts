import { JSON_TYPE } from '../../http/bodies.js';
import { negotiateMediaType } from '../../http/negotiation.js';
import type { Format } from '../encoding/row-encoder.js';

const MEDIA_TYPES = ['application/json', 'application/x-ndjson', 'text/csv'] as const;

const FORMAT_OF: Record<(typeof MEDIA_TYPES)[number], Format> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
};

/** The `content-type` of each format. */
export const CONTENT_TYPES: Record<Format, string> = {
  json: JSON_TYPE,
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** The format that suits the client best: JSON where it has no wish, or none that can be met. */
export function formatFor(accept: string | undefined): Format {
  if (accept === undefined || accept === '*/*') return 'json';
  return FORMAT_OF[negotiateMediaType(accept, MEDIA_TYPES) ?? 'application/json'];
}
