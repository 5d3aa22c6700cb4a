import type { ByteStream } from '../../http/reply.js';
import { CHUNK_BYTES } from '../encoding/row-encoder.js';

/**
 * The chunks of a body as one buffer if the first chunk is all of it, else as a stream. As the first chunk is made in any
 * case, an error before its end can still be sent as an error response.
 */
export async function wholeIfShort(chunks: AsyncGenerator<Buffer>): Promise<Buffer | ByteStream> {
  const first = await chunks.next();
  if (first.done) return Buffer.alloc(0);
  if (first.value.length >= CHUNK_BYTES) return following(first.value, chunks);
  await chunks.return(undefined);
  return Buffer.from(first.value);
}

async function* following(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}
