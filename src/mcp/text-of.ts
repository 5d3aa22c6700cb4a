import { HttpError } from '../http/errors.js';
import type { Content } from '../http/reply.js';

const KIBIBYTE = 1024;
/** A model reads a complete result, at about three bytes per token. */
const LONGEST_RESULT = 128 * KIBIBYTE;

/** Throws an HttpError 422 if the body is too long for a model to read. */
export async function textOf({ body }: Partial<Content> = {}): Promise<string> {
  const chunks =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? [body ?? ''] : body;
  const read: Buffer[] = [];
  let length = 0;
  // Leaving the loop closes a stream.
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > LONGEST_RESULT) throw tooLong();
    read.push(Buffer.from(chunk as Uint8Array));
  }
  return Buffer.concat(read).toString();
}

function tooLong(): HttpError {
  return new HttpError(
    422,
    `the result is longer than ${LONGEST_RESULT / KIBIBYTE} KiB: ask for fewer quotes, a shorter range or a longer group`,
  );
}
