import { Zip, ZipDeflate } from 'fflate';
import type { CalendarDate } from '../../../core/domain/dates.js';
import type { ByteStream } from '../../http/reply.js';

/** Compresses a file into a ZIP archive as its content is read. Its time stamp is the beginning of a day. */
export async function* zipped(name: string, content: ByteStream, day: CalendarDate): ByteStream {
  const made: Uint8Array[] = [];
  const archive = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  const file = new ZipDeflate(name);
  // A local time, so that the bytes are the same in every time zone.
  file.mtime = `${day}T00:00:00`;
  archive.add(file);
  for await (const chunk of content) {
    file.push(chunk);
    yield Buffer.concat(made.splice(0));
  }
  file.push(new Uint8Array(), true);
  archive.end();
  yield Buffer.concat(made);
}
