import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shippedProviders } from '../../../core/domain/providers.js';
import * as manifests from '../../../core/publication/open-publication.js';
import { canonicalBytes } from '../../../core/publication/publication-error.js';
import * as lists from '../../../core/publication/published-lists.js';
import { emptyManifest } from '../../support/signed-publication.js';

const SHORT = '0123456789abcdef';
const HASH = SHORT.repeat(4);

type Table = manifests.ManifestFile['table'];
const FILE = { bytes: 10, rows: 1, sha256: HASH };
const listed = (path: string, table: Table): manifests.ManifestFile => ({ ...FILE, path, table });
const parse = (...files: manifests.ManifestFile[]) =>
  manifests.parseManifest(manifests.manifestBytes(emptyManifest(4711, { files })));
const fault = (fault: string, more = {}) => expect.objectContaining({ fault, ...more });

const BLENDED = listed(`blended/2026.${SHORT}.parquet`, 'blended');
const FILES = [
  BLENDED,
  listed('currencies.json', 'currencies'),
  listed(`observations/ECB/2026.${SHORT}.parquet`, 'observations'),
  listed(`observations/ECB/to-2025.${SHORT}.parquet`, 'observations'),
  listed('providers.json', 'providers'),
  listed(`revisions/2026.${SHORT}.parquet`, 'revisions'),
];

it('a manifest is canonical JSON, and read as it was written', () => {
  const manifest = emptyManifest(4711);
  const bytes = manifests.manifestBytes(manifest);
  expect(bytes.toString()).toMatch(
    /^\{"api":null,"data":\{"instant":"2026-03-17T15:59:00.000Z","version":4711\},"digest":\{"day":.*"software":"almanac"\}$/,
  );
  const reversed = Object.fromEntries(Object.entries(manifest).reverse()) as manifests.Manifest;
  expect(manifests.manifestBytes(reversed)).toEqual(bytes);
  expect(parse(...FILES).files).toEqual(FILES);
  expect(manifests.hashedPath('blended/2026', HASH)).toBe(BLENDED.path);
});

const TEXT = manifests.manifestBytes(emptyManifest(4711)).toString();
it.each([
  '',
  '[]',
  `${TEXT}\n`,
  JSON.stringify(JSON.parse(TEXT), null, 1),
  TEXT.replace('"api":null,', ''),
  TEXT.replace('{"api"', '{"aaa":1,"api"'),
  TEXT.replace('/1"', '/2"'),
  TEXT.replace('null', '"ftp://rates.example.org"'),
  TEXT.replace('"version":4711', '"version":-1'),
])('a manifest is refused where it is not canonical, or no manifest: %.80s', (text) => {
  expect(() => manifests.parseManifest(Buffer.from(text))).toThrow(fault('manifest'));
});

it.each<[table: Table, ...paths: string[]]>([
  ['blended', `/blended/2026.${SHORT}.parquet`, `blended/../2026.${SHORT}.parquet`],
  ['blended', `../blended/2026.${SHORT}.parquet`, `blended//2026.${SHORT}.parquet`],
  ['blended', `blended/to-2026.${SHORT}.parquet`, 'blended/2026.fedcba9876543210.parquet'],
  ['blended', `blended/2026.${SHORT}.parquet/`, `blended/2026${SHORT}.parquet`],
  ['blended', `blended\\2026.${SHORT}.parquet`],
  ['revisions', `blended/2026.${SHORT}.parquet`],
  ['observations', `observations/2026.${SHORT}.parquet`, `observations/../2026.${SHORT}.parquet`],
  ['observations', `observations/ecb/2026.${SHORT}.parquet`, `observations/ECB/ECB/2026.${SHORT}.parquet`],
  ['observations', `observations/ECB/to-to-2026.${SHORT}.parquet`],
  ['observations', `observations/ECB/2026-to-.${SHORT}.parquet`],
  ['currencies', 'latest.json', 'lists/currencies.json'],
  ['providers', 'currencies.json'],
])('a path is refused of %s: %s, %s', (table, ...paths) => {
  for (const path of paths) expect(() => parse(listed(path, table))).toThrow(fault('path', { path }));
});

it('a path is refused that has anything else than letters, digits and a few signs', () =>
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.constantFrom(...FILES), (stem, file) => {
      fc.pre(!/^(\d{4}|[A-Z]{2,16}\/(to-)?\d{4})$/.test(stem));
      const path = `${file.table}/${stem}.${SHORT}.parquet`;
      expect(() => parse({ ...file, path })).toThrow(fault('path'));
    }),
  ));

it('a manifest has each file once, by path', () =>
  fc.assert(
    fc.property(fc.shuffledSubarray(FILES, { minLength: 2 }), (files) => {
      const paths = files.map(({ path }) => path);
      const isSorted = paths.join() === paths.toSorted().join();
      if (isSorted) expect(parse(...files).files).toEqual(files);
      else expect(() => parse(...files)).toThrow('is not in order');
      const [first = BLENDED] = files;
      expect(() => parse(first, first)).toThrow('is named twice');
    }),
  ));

const READ = '2026-03-17T16:00:00.000Z';
type Provider = lists.PublishedProviders['providers'][number];
const PROVIDERS = shippedProviders.map(
  (provider): Provider => ({
    ...provider,
    ...{ start_date: '1999-01-04', end_date: null, last_attempt_at: READ, last_success_at: null },
    ...{ last_error: 'no answer', newest_read_at: null, left_out: {} },
    currencies: { EUR: ['1999-01-04'], USD: ['1999-01-04', '2026-03-17'] },
  }),
);
const EURO = {
  ...{ iso_code: 'EUR', iso_numeric: '978', name: 'Euro', symbol: '€' },
  ...{ start_date: '1999-01-04', end_date: '2026-03-17' },
};

it('lists are read as they were written, which is canonical JSON', () => {
  const reading = { since: '2026-03-17T15:00:00.000Z', sources: ['ECB'] };
  const read = (list: lists.PublishedProviders) => lists.parseProviders(canonicalBytes(list));
  expect(read({ providers: PROVIDERS, reading })).toEqual({ providers: PROVIDERS, reading });
  expect(read({ providers: [], reading: null })).toEqual({ providers: [], reading: null });
  expect(lists.parseCurrencies(canonicalBytes([EURO]))).toEqual([EURO]);
  expect(canonicalBytes([EURO]).toString()).toBe(
    '[{"end_date":"2026-03-17","iso_code":"EUR","iso_numeric":"978","name":"Euro","start_date":"1999-01-04","symbol":"€"}]',
  );
});

const NO_LISTS = ['', '{}', '[{}]', JSON.stringify([{ ...EURO, end_date: 'today' }])];
it.each(NO_LISTS)('lists are refused where they are %s', (text) => {
  const refused = (path: string) => expect.objectContaining({ fault: 'rows', path });
  expect(() => lists.parseCurrencies(Buffer.from(text))).toThrow(refused('currencies.json'));
  expect(() => lists.parseProviders(Buffer.from(text))).toThrow(refused('providers.json'));
});
