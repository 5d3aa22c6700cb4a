import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../worker/import/csv.js';
import { CsvError } from '../../../worker/import/csv-error.js';
import { createTrailer } from '../../../worker/import/trailer.js';
import { HEADER } from './support.js';

const row = fc
  .tuple(fc.constantFrom('ECB', 'NB'), fc.constantFrom('USD', 'SEK'), fc.integer({ min: 1, max: 9_999 }))
  .map(([provider, quote, rate]) => `${provider},2026-03-02,EUR,${quote},${rate / 100}`);
const rows = fc.array(row, { maxLength: 8 });

const fileOf = (lines: readonly string[]) => `${[HEADER, ...lines].join('\n')}\n`;
/** In chunks of a few characters, which need not end with a line. */
const inChunks = (file: string, size: number) =>
  Readable.from(
    Array.from({ length: Math.ceil(file.length / size) }, (_, at) =>
      Buffer.from(file.slice(at * size, (at + 1) * size)),
    ),
  );
const exported = (lines: readonly string[], size = 7) =>
  text(inChunks(fileOf(lines), size).pipe(createTrailer()));

async function read(file: string, size = 7): Promise<number> {
  let count = 0;
  for await (const batch of readCsv(inChunks(file, size))) count += batch.length;
  return count;
}

describe('an export with a trailer', () => {
  const sizes = fc.integer({ min: 1, max: 90 });
  const some = fc.array(row, { minLength: 1, maxLength: 8 });

  it('is read whole, whatever its chunks and line ends', () =>
    fc.assert(
      fc.asyncProperty(rows, sizes, fc.boolean(), async (lines, size, hasReturns) => {
        const file = await exported(lines, size);
        expect(await read(hasReturns ? file.replaceAll('\n', '\r\n') : file, size)).toBe(lines.length);
      }),
    ));

  it('is refused wherever it was cut short', () =>
    fc.assert(
      fc.asyncProperty(rows, fc.nat(), async (lines, at) => {
        const file = await exported(lines);
        await expect(read(file.slice(0, at % file.length))).rejects.toThrow(CsvError);
      }),
    ));

  it('is refused with a row more, a row less, or another one', () =>
    fc.assert(
      fc.asyncProperty(some, fc.nat(), row, async (lines, at, other) => {
        const file = (await exported(lines)).split('\n');
        const place = 2 + (at % lines.length);
        const refused = (changed: string[]) =>
          expect(read(changed.join('\n'))).rejects.toThrow('differs from its last line');
        await refused(file.toSpliced(place, 0, other));
        await refused(file.toSpliced(place, 1));
        if (file[place] !== other) await refused(file.with(place, other));
        await expect(read([...file, other, ''].join('\n'))).rejects.toThrow('cut short');
      }),
    ));
});

it('a plain file is read as it is, with comments', async () => {
  const lines = ['ECB,2026-03-02,EUR,USD,1.2', '# end', 'NB,2026-03-02,EUR,SEK,9'];
  expect(await read(`# of somebody\n${fileOf(lines)}`)).toBe(2);
});

it.each([
  [
    'where its last line has no end',
    fileOf(['ECB,2026-03-02,EUR,USD,0.54147']).slice(0, -4),
    'has no newline',
  ],
  ['where it is empty', '', 'expected the header'],
  ['without a header', '# only this\n', 'expected the header'],
])('a plain file is refused %s', async (_where, file, message) => {
  await expect(read(file)).rejects.toThrow(message);
});
