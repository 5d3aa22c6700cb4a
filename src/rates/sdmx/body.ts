import { HttpError } from '../../http/errors.js';
import { CHUNK_BYTES } from '../encoding/row-encoder.js';
import type { DataQuery } from './data-query.js';
import type { Series, SeriesReader } from './series.js';

/** What a body says besides its series, and how much it tells of these. */
export interface BodyContext extends Pick<DataQuery, 'hasObservations' | 'hasAttributes' | 'isHistory'> {
  /** Names the message. */
  readonly id: string;
  /** The instant of the data version. */
  readonly prepared: string;
}

/** How series are written: what stands before and after them, and each as pieces of text. */
export interface BodyForm {
  readonly opening: string;
  series(series: Series): Iterable<string>;
  readonly closing: string;
}

/** A body in chunks. Throws an HttpError 404 at the beginning where there are no series. */
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

/** The 404 of a query that no series answers. */
export function nothingFound(): HttpError {
  return new HttpError(404, 'no observations were found for this key, provider and period');
}

/** The codes of OBS_STATUS and UNIT_MULT. */
export function statusOf({ suspects }: Series, index: number): 'A' | 'U' {
  return suspects[index] === 1 ? 'U' : 'A';
}

export const UNITS = '0';

/** An instant, in milliseconds since 1970, as SDMX writes it: without milliseconds where there are none. */
export function instantText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}
