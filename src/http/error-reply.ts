import { QueueFull, WaitTooLong } from '../../core/concurrency/semaphore.js';
import { overloaded } from './admission.js';
import { bodyTooLarge, errorBody, HttpError } from './errors.js';
import { json, type Reply } from './reply.js';
import { NO_STORE } from './representation.js';

/** A reply with the common error body, never cached. */
export function errorReply(error: HttpError): Reply {
  return {
    status: error.status,
    validity: NO_STORE,
    headers: Object.entries(error.headers).flat(),
    content: json(errorBody(error)),
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
