import { Zip, ZipDeflate } from 'fflate';
import type { CalendarDate } from '../../../core/domain/dates.js';

/** Compresses a file into a ZIP archive as its content is read. `date` is the day in its time stamp. */
export async function* zipped(
  name: string,
  content: AsyncIterable<Uint8Array>,
  date: CalendarDate,
): AsyncGenerator<Uint8Array, void, undefined> {
  const made: Uint8Array[] = [];
  const archive = new Zip((error, bytes) => {
    if (error) throw error;
    made.push(bytes);
  });
  const file = new ZipDeflate(name);
  // The time stamp is a local time. This one has the same bytes in every time zone.
  file.mtime = `${date}T00:00:00`;
  archive.add(file);
  let isBegun = false;
  for await (const chunk of content) {
    // What is made of the last chunk waits for the end, so that a short archive is one chunk.
    if (isBegun) yield Buffer.concat(made.splice(0));
    isBegun = true;
    file.push(chunk);
  }
  file.push(new Uint8Array(), true);
  archive.end();
  yield Buffer.concat(made);
}
