import { HttpError } from '../../http/errors.js';
import { negotiateMediaType } from '../../http/reply.js';
import { excerpt } from '../../parameters/excerpt.js';

export interface MediaType<Body extends string = string> {
  readonly type: string;
  readonly body: Body;
  readonly format?: string;
}

export interface Wish {
  readonly accept: string | undefined;
  readonly format?: string | undefined;
}

/** The media types of data. The first is the default. */
export const DATA_TYPES = [
  {
    type: 'application/vnd.sdmx.genericdata+xml;version=2.1',
    body: 'generic-xml',
    format: 'genericdata',
  },
  { type: 'application/xml', body: 'generic-xml' },
  { type: 'application/vnd.sdmx.data+json;version=1.0.0', body: 'json' },
  { type: 'application/json', body: 'json' },
  { type: 'application/vnd.sdmx.data+json;version=1.0.0-wd', body: 'draft-json', format: 'jsondata' },
  { type: 'application/vnd.sdmx.data+csv;version=1.0.0', body: 'csv' },
  { type: 'application/vnd.sdmx.data+csv;version=2.0.0', body: 'csv-2' },
  { type: 'text/csv', body: 'ecb-csv', format: 'csvdata' },
] as const satisfies readonly MediaType[];

export type DataType = (typeof DATA_TYPES)[number];
export type DataBody = DataType['body'];

/** Selects by `format`, else by `Accept`, else the first. Throws an HttpError 406 that names the offered types. */
export function chosenType<Offered extends MediaType>(
  offered: readonly Offered[],
  { accept, format }: Wish,
): Offered {
  const types = offered.map(({ type }) => type);
  const best = format === undefined ? negotiateMediaType(accept, types) : undefined;
  const chosen = offered.find((one) => (format === undefined ? one.type === best : one.format === format));
  if (chosen) return chosen;
  if (format === undefined)
    throw new HttpError(406, `none of the accepted media types is available: use ${types.join(', ')}`);
  const formats = offered.flatMap((one) => one.format ?? []).join(', ');
  const message = `no such format: ${excerpt(format)} (${formats === '' ? 'use accept' : `available: ${formats}`})`;
  throw new HttpError(406, message, { parameters: [{ parameter: 'format', message }] });
}

/** Whether an error response is XML, SDMX's default, and not JSON: for clients that accept neither JSON nor CSV. */
export function prefersXml({ accept, format }: Wish): boolean {
  const named = DATA_TYPES.find((one: MediaType) => one.format === format && format !== undefined);
  const types = DATA_TYPES.map(({ type }) => type);
  return !/json|csv/i.test(named?.type ?? negotiateMediaType(accept, types) ?? accept ?? '');
}
