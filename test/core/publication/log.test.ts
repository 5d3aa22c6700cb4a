import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type LogRecord,
  linesText,
  logPath,
  makeRecord,
  readLines,
  readLog,
  recordHash,
} from '../../../core/publication/log.js';
import { memoryFiles } from '../../support/memory-files.js';
import { propertyRuns } from '../../support/property-runs.js';

/** Records of four hours each, over the turn of two years with one between them that has none. */
const SIZE = 700;
const RECORDS: LogRecord[] = [];
for (let index = 0; index < SIZE; index++) {
  const start = index < 350 ? '2026-11-20T00:00:00Z' : '2028-06-01T00:00:00Z';
  const now = new Date(Date.parse(start) + index * 4 * 3_600_000);
  const before = RECORDS.at(-1);
  const manifest = hash('sha256', `manifest ${index}`);
  RECORDS.push(
    makeRecord({ index, manifest, previous: before ? recordHash(before) : null, version: index, now }),
  );
}
const textOf = (records: LogRecord[]) => Buffer.from(linesText(records.map((record) => ({ record }))));
const YEARS = [...new Set(RECORDS.map(logPath))];
const FILES = new Map<string, Buffer>(
  YEARS.map((path) => [path, textOf(RECORDS.filter((record) => logPath(record) === path))]),
);
const log = memoryFiles(FILES);
const NOW = new Date('2028-12-01T00:00:00Z');
const hashAt = (index: number) => recordHash(RECORDS[index] ?? expect.fail('no record'));
const stateAt = (size: number) => ({ origin: 'log', size, hash: hashAt(size - 1) });
const changed = (path: string, bytes: Buffer | undefined) => {
  const files = new Map<string, Buffer>(FILES);
  if (bytes) files.set(path, bytes);
  else files.delete(path);
  return memoryFiles(files);
};

it('has a file a year', () => {
  expect(YEARS).toEqual(['log/2026.ndjson', 'log/2027.ndjson', 'log/2028.ndjson']);
});

it('is read from any record on, up to any that was signed', () =>
  fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.nat(), async (size, at) => {
      const from = at % size;
      const { lines, record } = await readLog(log, stateAt(size), { from, now: NOW });
      const [first] = lines;
      expect(first?.record.index).toBeLessThanOrEqual(from);
      expect(lines.map((line) => line.record)).toEqual(RECORDS.slice(first?.record.index, size));
      expect(record).toEqual(RECORDS[size - 1]);
    }),
    propertyRuns(100),
  ));

it('is read from its end, if that is enough', async () => {
  const read: (number | undefined)[] = [];
  const watched = {
    read: (path: string, limit: { most: number; last?: number }) => {
      read.push(limit.last);
      return log.read(path, limit);
    },
  };
  const lines = await readLines(watched, SIZE - 1, NOW);
  expect(lines.length).toBeLessThan(300);
  expect(read).toEqual([65_536]);
  expect(await readLines(watched, SIZE - 100, new Date('2030-01-01'))).toEqual(lines);
  // A server that has no ranges sends the whole file.
  const whole = { read: (path: string, { most }: { most: number }) => log.read(path, { most }) };
  expect((await readLines(whole, SIZE - 1, NOW)).length).toBe(350);
});

it('is not there before its first year, nor in other folders', async () => {
  const missing = { fault: 'missing', path: 'log/2026.ndjson' };
  await expect(readLines(memoryFiles(), 0, new Date('2026-03-17'))).rejects.toMatchObject(missing);
});

const change = fc.constantFrom('flip', 'cut', 'append', 'remove', 'twice');

it('notices any change of any of its files by name', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...YEARS), change, fc.nat(), async (path, change, at) => {
      const bytes = Buffer.from(FILES.get(path) ?? '');
      const place = at % bytes.length;
      const line = bytes.subarray(0, bytes.indexOf('\n') + 1);
      if (change === 'flip') bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (at % 8)), place);
      const other = {
        flip: bytes,
        cut: bytes.subarray(0, place),
        append: Buffer.concat([bytes, Buffer.of(at % 256)]),
        remove: undefined,
        twice: Buffer.concat([line, bytes]),
      }[change];
      const reading = readLog(changed(path, other), stateAt(SIZE), { from: 0, now: NOW });
      const fault = expect.stringMatching(/^(log|record)$/);
      await expect(reading).rejects.toMatchObject({ name: 'PublicationError', fault });
    }),
    propertyRuns(300),
  ));

it('is another one where a record was replaced, though each names the one before it', async () => {
  const other = RECORDS.slice(0, SIZE - 1);
  const last = RECORDS[SIZE - 1] ?? expect.fail('no record');
  const forged = [...other, { ...last, version: 1 }].filter((record) => logPath(record) === YEARS[2]);
  const files = changed(YEARS[2] ?? '', textOf(forged));
  const reading = readLog(files, stateAt(SIZE), { from: SIZE - 1, now: NOW });
  await expect(reading).rejects.toThrow('log: log/2028.ndjson: record 699 is not the one that was signed');
  await readLog(files, stateAt(SIZE - 1), { from: SIZE - 1, now: NOW });
});
