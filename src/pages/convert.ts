import { errorBody, HttpError, StillLoading } from '../http/errors.js';
import type { PageData } from './data.js';
import { problemOf } from './problem.js';
import type { PageRequest } from './reader.js';
import type { Conversion } from './result.js';
import type { Html } from './shared/html.js';
import type { Pair, Parameters } from './shared/requests.js';

export interface Problem {
  problem: Html;
  status: number;
}

/** Converts as `/v2/convert` does. Returns a problem, also while older rates are being loaded, or throws another error. */
export async function convert(
  pair: Pair,
  parameters: Parameters,
  data: PageData,
  { reader, context }: PageRequest,
): Promise<Conversion | Problem> {
  try {
    return await data.convert(pair, parameters, context);
  } catch (error) {
    const isShown = error instanceof HttpError && (error.status < 500 || error instanceof StillLoading);
    if (!isShown) throw error;
    return { problem: problemOf(errorBody(error), reader), status: error.status };
  }
}
