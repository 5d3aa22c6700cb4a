import type { ByteStream } from '../../http/reply.js';

/**
 * Draws the first chunk, so that what fails before it is still an error that the client can be told. `close` is called
 * once, at the end of the stream, when it fails, or when it is given up.
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
