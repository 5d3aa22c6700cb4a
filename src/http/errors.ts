/** A parameter that can't be used, and why. */
export interface ParameterFault {
  parameter: string;
  message: string;
}

interface HttpErrorOptions {
  parameters?: readonly ParameterFault[];
  headers?: Readonly<Record<string, string>>;
  /** What clients of another service know the error by: a word, or a number. */
  code?: string | number | undefined;
  cause?: unknown;
}

/**
 * An error response. Its message is sent to the client, so it must not contain text of a driver or an upstream; the
 * `cause` is only logged.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly parameters: readonly ParameterFault[];
  readonly headers: Readonly<Record<string, string>>;
  readonly code: string | number | undefined;

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.parameters = options.parameters ?? [];
    this.headers = options.headers ?? {};
    this.code = options.code;
  }
}

/** The data that a request is handled with is not in the database any more: it has to be handled again with newer data. */
export class DataOutdated extends Error {
  override readonly name = 'DataOutdated';
}

/** An error for one invalid parameter: status 422 on the currency routes, 400 on the utility routes. */
export function parameterError(status: 400 | 422, parameter: string, message: string): HttpError {
  return new HttpError(status, message, { parameters: [{ parameter, message }] });
}

/** What is said of a body of more bytes than a route takes. */
export function bodyTooLarge(mostBytes: number): string {
  return `the body is too large: send at most ${mostBytes} bytes, or several requests`;
}

/** The error body of all routes. */
export interface ErrorBody {
  success: false;
  status: number;
  message: string;
  errors?: readonly ParameterFault[];
}

export function errorBody(error: HttpError): ErrorBody {
  const body: ErrorBody = { success: false, status: error.status, message: error.message };
  return error.parameters.length > 0 ? { ...body, errors: error.parameters } : body;
}
