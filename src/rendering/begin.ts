import { type ByteStream, type Content, isStream } from '../http/reply.js';

/** Begins a stream, so that an error up to its second chunk can still be an error response. One of a single chunk becomes whole. */
export async function begin(content: Content): Promise<Content> {
  const { body } = content;
  if (!isStream(body)) return content;
  const first = await body.next();
  const second = first.done ? first : await body.next();
  if (second.done) return { ...content, body: Buffer.from(first.value ?? '') };
  return { ...content, body: continued([first.value as Uint8Array, second.value], body) };
}

async function* continued(made: Uint8Array[], rest: ByteStream): ByteStream {
  try {
    yield* made;
    yield* rest;
  } finally {
    await rest.return();
  }
}
