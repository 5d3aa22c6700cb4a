import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { isReadable, readBody } from '../../../core/http-client/send-request.js';

const bytes = Buffer.from('rates of all currencies, one after the other');
const compressed: [string, Buffer][] = [
  ['', bytes],
  ['identity', bytes],
  ['gzip', gzipSync(bytes)],
  [' X-GZIP ', gzipSync(bytes)],
  ['br', brotliCompressSync(bytes)],
  ['deflate', deflateSync(bytes)],
];
const read = (body: Buffer, encoding: string, limit: number) =>
  readBody(Readable.from([body.subarray(0, 5), body.subarray(5)]), encoding, limit);

it.each(compressed)('a body in the coding %j may be as long as the limit', async (encoding, body) => {
  expect(isReadable(encoding)).toBe(true);
  for (const more of [0, 1]) expect(await read(body, encoding, bytes.length + more)).toEqual(bytes);
  expect(await read(body, encoding, bytes.length - 1)).toBeUndefined();
});

it('a body that is cut short is an error, unless the limit came first', async () => {
  await expect(read(gzipSync(bytes).subarray(0, 20), 'gzip', 1000)).rejects.toThrow('unexpected end of file');
  expect(isReadable('zstd')).toBe(false);
});
