import { HttpError } from '../../http/errors.js';
import { CHUNK_BYTES } from '../encoding/row-encoder.js';
import type { RatesView } from '../engine/rates-view.js';
import type { DataQuery } from './data-query.js';
import { AGENCY } from './dataflow.js';
import type { Observation, Series, SeriesReader } from './series.js';

export type Header = Readonly<ReturnType<typeof headerOf>>;

/** The parts of a body besides its series, and how much detail it has of these. */
export type BodyContext = Header & Pick<DataQuery, 'hasObservations' | 'hasAttributes' | 'isHistory'>;

/** The ID is the data version's number, the time its instant, so that the same message has the same bytes. */
export function headerOf({ name, knownAt }: Pick<RatesView, 'name' | 'knownAt'>) {
  // The name of a data version begins with its number.
  return { id: `V${name.split('.', 1)[0]}`, prepared: instantText(knownAt) };
}

/** The format of series: the text before and after them, and each series as pieces of text. */
export interface BodyForm {
  readonly opening: string;
  series(series: Series): Iterable<string>;
  readonly closing: string;
}

/** Generates a body in chunks. Throws an HttpError 404 at the beginning if there are no series. */
export async function* bodyChunks(
  { opening, series: piecesOf, closing }: BodyForm,
  read: SeriesReader,
): AsyncGenerator<Buffer, void, undefined> {
  let text = opening;
  let isEmpty = true;
  for await (const series of read()) {
    isEmpty = false;
    for (const piece of piecesOf(series)) {
      text += piece;
      if (text.length >= CHUNK_BYTES) {
        yield Buffer.from(text);
        text = '';
      }
    }
  }
  if (isEmpty) throw nothingFound();
  yield Buffer.from(text + closing);
}

export function nothingFound(): HttpError {
  const message = 'no observations were found for this key, provider and period';
  return new HttpError(404, message, { code: 'no_rates' });
}

/** The codes of OBS_STATUS and UNIT_MULT. */
export function statusOf({ isSuspect }: Observation): 'A' | 'U' {
  return isSuspect ? 'U' : 'A';
}

export const UNITS = '0';

/** Formats an instant, in milliseconds since 1970, as SDMX does: without milliseconds if they are zero. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** The namespaces of SDMX 2.1, by the prefixes used here. */
const NAMESPACES = {
  m: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message',
  c: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common',
  s: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure',
  g: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic',
} as const;

export function namespaces(...prefixes: (keyof typeof NAMESPACES)[]): string {
  return prefixes.map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix]}"`).join('');
}

/** The header of a message; `content` is what it has besides. */
export function headerXml({ id, prepared }: Header, content = ''): string {
  const test = '<m:Test>false</m:Test>';
  return `<m:Header><m:ID>${id}</m:ID>${test}<m:Prepared>${prepared}</m:Prepared><m:Sender id="${AGENCY}"/>${content}</m:Header>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text as the content of an element. Characters that XML can't represent are replaced. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
