import type { ByteStream } from '../../http/reply.js';

/**
 * Reads the first chunk, so that an error before it can still be sent as an error response. `close` is called once,
 * when the stream ends, fails or is abandoned.
 */
export async function startStream(
  chunks: AsyncGenerator<Buffer>,
  close: () => Promise<void>,
): Promise<ByteStream> {
  let first: IteratorResult<Buffer> | undefined = await chunks.next();
  let isOpen = true;
  const closeOnce = async () => {
    if (isOpen) {
      isOpen = false;
      await close();
    }
  };
  const next = async (): Promise<IteratorResult<Buffer>> => {
    try {
      const result = first ?? (await chunks.next());
      first = undefined;
      if (result.done) await closeOnce();
      return result;
    } catch (error) {
      await closeOnce();
      throw error;
    }
  };
  const giveUp = async (): Promise<IteratorResult<Buffer>> => {
    await chunks.return(undefined);
    await closeOnce();
    return { done: true, value: undefined };
  };
  return { next, return: giveUp, [Symbol.asyncIterator]: () => ({ next, return: giveUp }) };
}
