import { isUnavailable } from '../../core/database/errors.js';
import { DataOutdated, HttpError, type ParameterFault } from '../http/errors.js';
import { RatesNeeded } from './published-ground.js';

/** An error as a thread sends it. */
export type ErrorMessage =
  | {
      kind: 'http';
      status: number;
      message: string;
      parameters: readonly ParameterFault[];
      headers: Readonly<Record<string, string>>;
      code: string | number | undefined;
      cause: unknown;
    }
  | { kind: 'outdated'; message: string }
  | { kind: 'needed'; provider: string }
  | { kind: 'other'; error: unknown };

export function toMessage(error: unknown): ErrorMessage {
  if (error instanceof DataOutdated) return { kind: 'outdated', message: error.message };
  if (error instanceof RatesNeeded) return { kind: 'needed', provider: error.provider };
  if (!(error instanceof HttpError)) return { kind: 'other', error };
  const { status, message, parameters, headers, code, cause } = error;
  return { kind: 'http', status, message, parameters, headers, code, cause };
}

export function toError(sent: ErrorMessage): unknown {
  if (sent.kind === 'outdated') return new DataOutdated(sent.message);
  if (sent.kind === 'needed') return new RatesNeeded(sent.provider);
  if (sent.kind === 'other') return sent.error;
  const { status, message, ...options } = sent;
  return new HttpError(status, message, options);
}

/** A 503 for an error of a database that can't be reached; any other error as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof HttpError || !isUnavailable(error)) return error;
  return new HttpError(
    503,
    'the store can not be reached; rates of all providers together are still served',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}
