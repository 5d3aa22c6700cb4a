import { expect, it } from 'vitest';
import type { ByteStream } from '../../../src/http/reply.js';
import { begin } from '../../../src/rendering/renderer.js';

function streamOf(...chunks: string[]) {
  const seen = { made: 0, isClosed: false };
  async function* make() {
    try {
      for (const chunk of chunks) {
        seen.made++;
        yield Buffer.from(chunk);
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, content: { type: 'text/plain', body: make() } };
}

it.each([
  [[], ''],
  [['ab'], 'ab'],
])('a stream of the chunks %j becomes whole', async (chunks, body) => {
  const { seen, content } = streamOf(...chunks);
  expect(await begin(content)).toEqual({ type: 'text/plain', body: Buffer.from(body) });
  expect(seen.isClosed).toBe(true);
});

it('a longer one is begun, and made as it is read', async () => {
  const { seen, content } = streamOf('a', 'b', 'c', 'd');
  const { body } = await begin(content);
  expect(seen).toEqual({ made: 2, isClosed: false });
  const read: string[] = [];
  for await (const chunk of body) {
    read.push(String(chunk));
    if (read.length === 3) break;
  }
  expect(read).toEqual(['a', 'b', 'c']);
  expect(seen).toEqual({ made: 3, isClosed: true });
});

it('one of which nothing is read is closed', async () => {
  const { seen, content } = streamOf('a', 'b', 'c');
  await ((await begin(content)).body as ByteStream).return();
  expect(seen).toEqual({ made: 2, isClosed: true });
});

it('an error before the second chunk is thrown at once', async () => {
  async function* failing() {
    yield Buffer.from('a');
    throw new Error('no more');
  }
  await expect(begin({ type: 'text/plain', body: failing() })).rejects.toThrow('no more');
});

it('a body that is whole stays as it is', async () => {
  const content = { type: 'text/plain', body: 'a' };
  expect(await begin(content)).toBe(content);
});
