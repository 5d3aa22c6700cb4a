import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { reasonOf } from '../../../core/process/connection-errors.js';
import { FeedError } from '../feed.js';

const MOST_ENTRIES = 1000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Unpacks matching files of a zip. Throws a FeedError beyond 1000 entries or 32 MiB, whatever the zip declares. */
export async function unzip(bytes: Uint8Array, wanted: RegExp): Promise<Map<string, Uint8Array>> {
  const zip = await open(bytes);
  if (zip.entryCount > MOST_ENTRIES) throw new FeedError(`a zip of ${zip.entryCount} entries`);
  const files = new Map<string, Uint8Array>();
  let left = MOST_BYTES;
  for await (const entry of entriesOf(zip)) {
    if (!wanted.test(entry.fileName)) continue;
    const content = await unpack(zip, entry, left);
    left -= content.length;
    files.set(entry.fileName, content);
  }
  return files;
}

async function open(bytes: Uint8Array): Promise<ZipFile> {
  try {
    return await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  } catch (cause) {
    throw new FeedError(`not a whole zip: ${reasonOf(cause)}`, { cause });
  }
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (cause) {
    throw new FeedError(`a broken zip: ${reasonOf(cause)}`, { cause });
  }
}

async function unpack(zip: ZipFile, entry: Entry, limit: number): Promise<Buffer> {
  const name = `${entry.fileName} in a zip`;
  if (entry.uncompressedSize > limit)
    throw new FeedError(`${name}: unpacks to more than ${MOST_BYTES} bytes with the files before it`);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      size += piece.length;
      if (size > limit) throw new Error('more bytes than the zip says');
      pieces.push(piece);
    }
  } catch (cause) {
    throw new FeedError(`${name}: ${reasonOf(cause)}`, { cause });
  }
  return Buffer.concat(pieces, size);
}
