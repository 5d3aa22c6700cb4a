import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { CsvError } from './csv-error.js';

const FIRST_LINE = '# rates of Almanac: the last line has their number and hash';
const trailerOf = (rows: number, hash: string) => `# end of ${rows} rows, sha256 ${hash}`;
const NEWLINE = '\n'.charCodeAt(0);

/** Adds a first line that announces the last one: the number of rows and a hash, which detect a truncated copy. */
export function createTrailer(): Transform {
  const hash = createHash('sha256');
  let lines = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
      done(null, chunk);
    },
    flush(done) {
      done(null, `${trailerOf(Math.max(0, lines - 1), hash.digest('hex'))}\n`);
    },
  });
  stream.push(`${FIRST_LINE}\n`);
  return stream;
}

/** Passes through lines. Throws a CsvError if the first line announces a last one that is missing or doesn't match. */
export async function* checkTrailer(batches: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  const hash = createHash('sha256');
  let hasTrailer: boolean | undefined;
  let count = 0;
  let last = '';
  for await (const lines of batches) {
    hasTrailer ??= lines.length > 0 ? lines[0] === FIRST_LINE : undefined;
    if (hasTrailer) {
      // More lines follow, so the last line of the previous batch was a row.
      const rows = [last, ...lines].filter((line) => line !== '' && line !== FIRST_LINE);
      last = rows.pop() ?? '';
      for (const line of rows) hash.update(`${line}\n`);
      count += rows.length;
    }
    yield lines;
  }
  if (!hasTrailer) return;
  if (!last.startsWith('# end of ')) {
    throw new CsvError('the last line of the export is missing: the file was cut short');
  }
  if (last !== trailerOf(Math.max(0, count - 1), hash.digest('hex'))) {
    throw new CsvError('the export differs from its last line: the file is damaged, or was changed');
  }
}
