import { type ByteStream, type Content, isStream } from '../http/reply.js';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** An error up to the second chunk can still become an error response. A single chunk becomes a whole body. */
export async function begin(content: Content, inTurn: InTurn = (work) => work()): Promise<Content> {
  const { body } = content;
  if (!isStream(body)) return content;
  const { value = '', done } = await body.next();
  // Requesting the second chunk may overwrite the first.
  const first = Buffer.from(value);
  const second = done ? { done } : await body.next();
  if (second.done) return { ...content, body: first };
  const whole = continued([first, second.value], body, inTurn);
  await whole.next();
  return { ...content, body: whole };
}

async function* continued(made: Uint8Array[], rest: ByteStream, inTurn: InTurn): ByteStream {
  try {
    // A generator that has not run up to here would end without closing the rest.
    yield new Uint8Array();
    for (let chunk = made.shift(); chunk; chunk = made.shift()) yield chunk;
    for (;;) {
      const { done, value } = await inTurn(() => rest.next());
      if (done) return;
      yield value;
    }
  } finally {
    await rest.return();
  }
}
