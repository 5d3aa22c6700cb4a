import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashedPath,
  type Manifest,
  type ManifestFile,
  manifestBytes,
  parseManifest,
} from '../../../core/publication/manifest.js';
import { emptyManifest } from '../../support/signed-publication.js';

const HASH = '0123456789abcdef'.repeat(4);
const SHORT = '0123456789abcdef';

const listed = (path: string, table: ManifestFile['table']): ManifestFile => ({
  bytes: 10,
  path,
  rows: 1,
  sha256: HASH,
  table,
});
const parse = (...files: ManifestFile[]) => parseManifest(manifestBytes(emptyManifest(4711, { files })));

const FILES = [
  listed(`blended/2026.${SHORT}.parquet`, 'blended'),
  listed('currencies.json', 'currencies'),
  listed(`observations/ECB/2026.${SHORT}.parquet`, 'observations'),
  listed(`observations/ECB/to-2025.${SHORT}.parquet`, 'observations'),
  listed('providers.json', 'providers'),
  listed(`revisions/2026.${SHORT}.parquet`, 'revisions'),
] as const;

it('is canonical JSON: members by name, and nothing between', () => {
  const bytes = manifestBytes(emptyManifest(4711));
  expect(bytes.toString()).toMatch(
    /^\{"api":null,"data":\{"instant":"2026-03-17T15:59:00.000Z","version":4711\},"digest":\{"day":.*"software":"almanac"\}$/,
  );
  expect(
    manifestBytes(Object.fromEntries(Object.entries(emptyManifest(4711)).reverse()) as Manifest),
  ).toEqual(bytes);
});

it('is read as it was written', () => {
  expect(parse(...FILES).files).toEqual(FILES);
});

it('names a file by its hash', () => {
  expect(hashedPath('blended/2026', HASH)).toBe(FILES[0].path);
});

it('is refused where it is not canonical, or no manifest', () => {
  const text = manifestBytes(emptyManifest(4711)).toString();
  for (const other of [
    '',
    '[]',
    `${text}\n`,
    JSON.stringify(JSON.parse(text), null, 1),
    text.replace('"api":null,', ''),
    text.replace('{"api"', '{"aaa":1,"api"'),
    text.replace('/1"', '/2"'),
    text.replace('null', '"ftp://rates.example.org"'),
    text.replace('"version":4711', '"version":-1'),
  ]) {
    expect(() => parseManifest(Buffer.from(other))).toThrow(expect.objectContaining({ fault: 'manifest' }));
  }
});

describe('a path is refused', () => {
  it.for([
    [`/blended/2026.${SHORT}.parquet`, 'blended'],
    [`blended/../2026.${SHORT}.parquet`, 'blended'],
    [`../blended/2026.${SHORT}.parquet`, 'blended'],
    [`blended//2026.${SHORT}.parquet`, 'blended'],
    [`blended/to-2026.${SHORT}.parquet`, 'blended'],
    [`blended/2026.${SHORT}.parquet`, 'revisions'],
    ['blended/2026.fedcba9876543210.parquet', 'blended'],
    [`blended/2026.${SHORT}.parquet/`, 'blended'],
    [`blended/2026${SHORT}.parquet`, 'blended'],
    [`blended\\2026.${SHORT}.parquet`, 'blended'],
    [`observations/2026.${SHORT}.parquet`, 'observations'],
    [`observations/../2026.${SHORT}.parquet`, 'observations'],
    [`observations/ecb/2026.${SHORT}.parquet`, 'observations'],
    [`observations/ECB/ECB/2026.${SHORT}.parquet`, 'observations'],
    [`observations/ECB/to-to-2026.${SHORT}.parquet`, 'observations'],
    [`observations/ECB/2026-to-.${SHORT}.parquet`, 'observations'],
    ['latest.json', 'currencies'],
    ['lists/currencies.json', 'currencies'],
    ['currencies.json', 'providers'],
  ] as const)('%s of %s', ([path, table]) => {
    expect(() => parse(listed(path, table))).toThrow(expect.objectContaining({ fault: 'path', path }));
  });

  it('that has anything else than letters, digits and a few signs', () =>
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom(...FILES), (stem, file) => {
        const path = `${file.table}/${stem}.${SHORT}.parquet`;
        fc.pre(!/^(\d{4}|[A-Z]{2,16}\/(to-)?\d{4})$/.test(stem));
        expect(() => parse({ ...file, path })).toThrow(expect.objectContaining({ fault: 'path' }));
      }),
    ));
});

it('has each file once, by path', () =>
  fc.assert(
    fc.property(fc.shuffledSubarray([...FILES], { minLength: 2 }), (files) => {
      const paths = files.map(({ path }) => path);
      const isSorted = paths.join() === paths.toSorted().join();
      if (isSorted) expect(parse(...files).files).toEqual(files);
      else expect(() => parse(...files)).toThrow('is not in order');
      const [first = FILES[0]] = files;
      expect(() => parse(first, first)).toThrow('is named twice');
    }),
  ));
