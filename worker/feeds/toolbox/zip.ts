import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { FeedError } from '../feed.js';

const MOST_ENTRIES = 1000;
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * The files of a zip whose names fit, unpacked. Sizes are counted while unpacking, whatever the zip says of them.
 * Throws a FeedError where it is no whole zip, has more than 1000 entries or unpacks to more than 32 MiB.
 */
export async function unzip(bytes: Uint8Array, wanted: RegExp): Promise<Map<string, Uint8Array>> {
  const zip = await open(bytes);
  if (zip.entryCount > MOST_ENTRIES) throw new FeedError(`a zip of ${zip.entryCount} entries`);
  const files = new Map<string, Uint8Array>();
  let left = MOST_BYTES;
  await new Promise<void>((resolve, reject) => {
    zip.on('error', (cause: Error) => reject(new FeedError(`a broken zip: ${cause.message}`, { cause })));
    zip.on('end', resolve);
    zip.on('entry', (entry: Entry) => {
      if (!wanted.test(entry.fileName)) {
        zip.readEntry();
        return;
      }
      unpack(zip, entry, left)
        .then((content) => {
          left -= content.length;
          files.set(entry.fileName, content);
          zip.readEntry();
        })
        .catch(reject);
    });
    zip.readEntry();
  });
  return files;
}

function open(bytes: Uint8Array): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      { lazyEntries: true },
      (cause, zip) => {
        if (cause || !zip) reject(new FeedError(`not a whole zip: ${cause?.message}`, { cause }));
        else resolve(zip);
      },
    );
  });
}

function unpack(zip: ZipFile, entry: Entry, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = (what: string, cause?: unknown) =>
      reject(new FeedError(`${entry.fileName} in a zip: ${what}`, { cause }));
    if (entry.uncompressedSize > limit) {
      refuse(`unpacks to more than ${MOST_BYTES} bytes with what stands before it`);
      return;
    }
    zip.openReadStream(entry, (cause, stream) => {
      if (cause || !stream) {
        refuse(String(cause?.message), cause);
        return;
      }
      const pieces: Buffer[] = [];
      let size = 0;
      stream.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > limit) stream.destroy(new Error('more bytes than the zip says'));
        else pieces.push(piece);
      });
      stream.on('error', (error: Error) => refuse(error.message, error));
      stream.on('end', () => resolve(Buffer.concat(pieces, size)));
    });
  });
}
