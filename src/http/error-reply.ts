import type { IncomingMessage } from 'node:http';
import { QueueFull, WaitTooLong } from '../../core/concurrency/semaphore.js';
import { overloaded } from './admission.js';
import { bodyTooLarge, errorBody, HttpError } from './errors.js';
import { type Content, json, type Reply } from './reply.js';
import { NO_STORE } from './representation.js';
import { pathOf } from './target.js';

type Asked = Pick<IncomingMessage, 'url' | 'headers'>;

/** How errors are written for the clients of some paths, which expect a body of their own, or another status. */
export type ErrorForm = (error: HttpError, request: Asked) => { status?: number; content: Content };

/** Error forms by the first segment of the paths that they are for, in lower case. */
export type ErrorForms = ReadonlyMap<string, ErrorForm>;

/** A reply with the error body of the request's path, which for most is the common one; never cached. */
export function errorReply(error: HttpError, request: Asked, forms: ErrorForms): Reply {
  const [, segment = ''] = pathOf(request.url ?? '').split('/', 2);
  const form = forms.get(segment.toLowerCase());
  return {
    status: error.status,
    validity: NO_STORE,
    headers: Object.entries(error.headers).flat(),
    ...(form ? form(error, request) : { content: json(errorBody(error)) }),
  };
}

/**
 * The HttpError for anything thrown: a 503 where it was too long to wait for others, a 500 without details for what is
 * none of the service's or the client's errors.
 */
export function toHttpError(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (thrown instanceof WaitTooLong || thrown instanceof QueueFull) return overloaded(thrown);
  if (thrown instanceof URIError) {
    return new HttpError(400, 'malformed percent-encoding in the path: write % itself as %25', {
      cause: thrown,
    });
  }
  // Express and its body parser give errors of the client a 4xx status; their messages are not sent.
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
