import { HttpError } from '../../http/errors.js';
import { CHUNK_BYTES } from '../encoding/row-encoder.js';
import type { RatesView } from '../engine/rates-view.js';
import type { DataQuery } from './data-query.js';
import type { Series, SeriesReader } from './series.js';

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
export function statusOf({ suspects }: Series, index: number): 'A' | 'U' {
  return suspects[index] === 1 ? 'U' : 'A';
}

export const UNITS = '0';

/** Formats an instant, in milliseconds since 1970, as SDMX does: without milliseconds if they are zero. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
