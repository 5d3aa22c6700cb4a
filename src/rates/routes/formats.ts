import { negotiateMediaType } from '../../http/negotiation.js';
import { JSON_TYPE } from '../../http/reply.js';
import { FORMATS, type Format } from '../encoding/row-encoder.js';

/** The `content-type` of each format. */
export const CONTENT_TYPES: Record<Format, string> = {
  json: JSON_TYPE,
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

const OFFERED = FORMATS.map((format) => CONTENT_TYPES[format]);

/** The format that suits the client best: JSON where it has no wish, or none that can be met. */
export function formatFor(accept: string | undefined): Format {
  const type = negotiateMediaType(accept, OFFERED);
  return FORMATS.find((format) => CONTENT_TYPES[format] === type) ?? 'json';
}
