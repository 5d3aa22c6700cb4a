import { QueueFull, WaitTooLong } from '../../core/concurrency/semaphore.js';
import { isUnavailable } from '../../core/database/errors.js';

const BY_STATUS = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'too_many_requests',
  500: 'internal_error',
  501: 'not_supported',
  502: 'upstream_failed',
  503: 'unavailable',
} as const;

const OTHERS = [
  'invalid_request',
  'invalid_parameter',
  'unknown_currency',
  'unknown_provider',
  'no_rates',
] as const;

/** Programs distinguish errors by these codes. Messages may change; a code keeps its meaning. */
export const ERROR_CODES = [...OTHERS, ...Object.values(BY_STATUS)];

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The code of an error that has none of its own. */
function codeByStatus(status: number, namesParameters: boolean): ErrorCode {
  const known: Readonly<Record<number, ErrorCode>> = BY_STATUS;
  return known[status] ?? (namesParameters ? 'invalid_parameter' : 'invalid_request');
}

export interface ParameterFault {
  parameter: string;
  message: string;
}

interface HttpErrorOptions {
  /** By default, a general one for the status. */
  code?: ErrorCode | undefined;
  parameters?: readonly ParameterFault[];
  headers?: Readonly<Record<string, string>>;
  /** The code that clients of another service expect. */
  dialectCode?: string | number | undefined;
  cause?: unknown;
}

/** Clients see the message, so it must not contain text of a driver or an upstream. Only the log has the `cause`. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly parameters: readonly ParameterFault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly dialectCode: string | number | undefined;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.parameters = options.parameters ?? [];
    this.headers = options.headers ?? {};
    this.dialectCode = options.dialectCode;
    this.code = options.code ?? codeByStatus(status, this.parameters.length > 0);
  }
}

/** Part of the data is still being loaded; the rest is served. */
export class StillLoading extends HttpError {}

/** The database no longer has the data of the request, which must be handled again with newer data. */
export class DataOutdated extends Error {
  override readonly name = 'DataOutdated';
}

/** An error for one invalid parameter: status 422 on the currency routes, 400 on the utility routes. */
export function parameterError(status: 400 | 422, parameter: string, message: string, code?: ErrorCode) {
  return new HttpError(status, message, { parameters: [{ parameter, message }], code });
}

export function bodyTooLarge(mostBytes: number): string {
  return `the body is too large: send at most ${mostBytes} bytes, or several requests`;
}

/** Of every route, but described only for those without a limit, which may refuse nothing else. */
export const HEAD_TOO_LARGE = 'the request line and headers are too large';

export function tooManyRequests(perMinute: number, seconds: number): string {
  const wait = `try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `too many requests: ${perMinute} a minute are allowed here, so ${wait}`;
}

export function overloaded(cause?: unknown): HttpError {
  return new HttpError(503, 'too many expensive requests at once', {
    headers: { 'retry-after': '2' },
    cause,
  });
}

/** Throws an HttpError 503 if the error means that the database is unreachable, otherwise the error itself. */
export function databaseUnavailable(error: unknown): never {
  throw isUnavailable(error) ? unavailable('the database cannot be reached', error) : error;
}

export function unavailable(message: string, cause: unknown): HttpError {
  return new HttpError(503, message, { headers: { 'retry-after': '5' }, cause });
}

/** One HttpError for all faults. */
export function faultsError(faults: readonly ParameterFault[], code?: ErrorCode, status: 400 | 422 = 422) {
  return new HttpError(status, faults.map(({ message }) => message).join('; '), { parameters: faults, code });
}

export function errorBody({ status, code, message, parameters }: HttpError) {
  const errors = parameters.length > 0 && { errors: parameters };
  return { success: false, status, code, message, ...errors };
}

/** Returns a 503 if the request waited too long, and a 500 without details for an unexpected error. */
export function toHttpError(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof WaitTooLong || thrown instanceof QueueFull) return overloaded(thrown);
  if (thrown instanceof URIError) {
    return new HttpError(400, 'malformed percent-encoding in the path: write % itself as %25', {
      cause: thrown,
    });
  }
  // Express and its body parser give errors of the client a 4xx status. Their messages are not sent.
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : undefined;
  if (status === 413) return new HttpError(413, tooLarge(thrown), { cause: thrown });
  if (status === 415) {
    const message = 'the body is in a form that is not understood: send UTF-8, plain or compressed with gzip';
    return new HttpError(415, message, { cause: thrown });
  }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new HttpError(400, 'malformed request', { cause: thrown });
  }
  return new HttpError(500, 'something went wrong on our side', { cause: thrown });
}

function tooLarge(thrown: unknown): string {
  const limit = thrown instanceof Error && 'limit' in thrown ? thrown.limit : undefined;
  return typeof limit === 'number' ? bodyTooLarge(limit) : 'the body is too large';
}
