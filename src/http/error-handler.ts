import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { sendFresh } from './bodies.js';
import { errorBody, HttpError } from './errors.js';
import { requestId } from './open-request.js';

const OF_THE_ANSWER = ['etag', 'content-encoding', 'content-length', 'content-disposition', 'vary'];

/** `answerError` for whatever a route threw. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => answerError(log, thrown, request, response);
}

/**
 * Turns whatever was thrown into the one error body. An error that is no HttpError is a fault of ours: it is
 * logged whole and shown as a bare 500. A response already under way can only be cut off.
 */
export function answerError(
  log: Logger,
  thrown: unknown,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const error = asHttpError(thrown);
  if (error.status >= 500) log.error({ id: requestId(request), err: error.cause ?? thrown }, error.message);
  if (response.headersSent) response.destroy();
  else sendError(request, response, error);
}

/** Answers with the one error body, which no cache keeps. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: HttpError): void {
  // Headers of the answer that was being prepared would say things of the error that don't hold.
  for (const name of OF_THE_ANSWER) response.removeHeader(name);
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.statusCode = error.status;
  sendFresh(request, response, errorBody(error));
}

function asHttpError(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof URIError) {
    return new HttpError(400, 'malformed percent-encoding in the path', { cause: thrown });
  }
  // Express and its body parser mark what the client sent wrong with a 4xx status; their text stays inside.
  const status = thrown instanceof Error && 'status' in thrown ? thrown.status : undefined;
  if (status === 413) return new HttpError(413, 'the body is too large', { cause: thrown });
  if (status === 415)
    return new HttpError(415, 'the body is in a form that is not understood', { cause: thrown });
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new HttpError(400, 'malformed request', { cause: thrown });
  }
  return new HttpError(500, 'something went wrong on our side', { cause: thrown });
}
