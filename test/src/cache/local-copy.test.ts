import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLocalCopy } from '../../../src/cache/local-copy.js';

const databaseUrl = 'postgres://almanac:secret@127.0.0.1:5432/almanac';

let folder: string;
let lines: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-copy-'));
  lines = [];
});
afterEach(() => rm(folder, { recursive: true }));

const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
const open = (place: { folder?: string; databaseUrl?: string } = {}) =>
  openLocalCopy('rates', { folder, databaseUrl, log, ...place });

const VALUE = { version: 3n, days: new Int32Array([1, 2]), rates: new Float64Array([1.1, Number.NaN]) };

it('gives back what was kept last', async () => {
  expect(await open().read()).toBeUndefined();
  await open().keep('older');
  await open().keep(VALUE);
  const before = Date.now();
  const read = await open().read();
  expect(read?.value).toEqual(VALUE);
  expect(Math.abs((read?.keptAt ?? 0) - before)).toBeLessThan(60_000);
  expect(await readdir(folder)).toEqual(['rates']);
  expect(lines).toEqual([]);
});

it('is of one database, whichever program reads it', async () => {
  await open().keep(VALUE);
  expect(await open({ databaseUrl: databaseUrl.replace('secret', 'other') }).read()).toBeDefined();
  expect(await open({ databaseUrl: `${databaseUrl}2` }).read()).toBeUndefined();
  expect(await open({ databaseUrl: databaseUrl.replace('5432', '5433') }).read()).toBeUndefined();
  expect((await readFile(join(folder, 'rates'))).includes('secret')).toBe(false);
});

it('is none where any byte of it has changed or is missing', async () => {
  await open().keep(VALUE);
  const path = join(folder, 'rates');
  const whole = await readFile(path);
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.boolean(), async (at, isCut) => {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      await writeFile(path, isCut ? whole.subarray(0, at) : changed);
      expect(await open().read()).toBeUndefined();
    }),
  );
  expect(lines.at(-1)).toContain('a local copy cannot be read');
});

it('is only logged where it can not be kept', async () => {
  await writeFile(join(folder, 'file'), '');
  await open({ folder: join(folder, 'file') }).keep(VALUE);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('a local copy cannot be saved');
});
