import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export const ACCEPTED_ENCODINGS = 'gzip, br';

const decompressors: Readonly<Record<string, () => Transform>> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  deflate: () => createInflate(),
};

export function isReadable(encoding: string): boolean {
  return Object.hasOwn(decompressors, normalized(encoding));
}

/** Decompressed; undefined if larger than the limit. Throws errors of the connection and zlib. */
export async function readBody(
  body: Readable,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) return;
      chunks.push(chunk);
    }
  };
  try {
    await pipeline(body, decompressors[normalized(encoding)]?.() ?? new PassThrough(), collect);
  } catch (error) {
    // Destroying a body before its end emits a connection error.
    if (size <= maxBytes) throw error;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks, size);
}

function normalized(encoding: string): string {
  return encoding.trim().toLowerCase();
}
