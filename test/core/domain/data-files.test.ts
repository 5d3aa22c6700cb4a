import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

type Entry = Record<string, unknown>;
const FILES = ['currencies', 'pegs', 'providers'];

const shipped = join(import.meta.dirname, '..', '..', '..', 'data');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-data-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  vi.resetModules();
  vi.doMock('../../../core/process/project-files.js', () => ({
    readDataFile: (name: string, schema: z.ZodType) =>
      schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  }));
  for (const file of FILES) await change(file, (entries) => entries);
  return () => vi.doUnmock('../../../core/process/project-files.js');
});

/** Writes a file as it ships, changed. */
async function change(file: string, how: (entries: Entry[]) => unknown): Promise<void> {
  const entries = JSON.parse(await readFile(join(shipped, `${file}.json`), 'utf8')) as Entry[];
  await writeFile(join(folder, `${file}.json`), JSON.stringify(how(entries)));
}

/** With other values in its first entry. */
const withFirst = (changed: Entry) => (entries: Entry[]) => [
  { ...entries[0], ...changed },
  ...entries.slice(1),
];

const load = {
  pegs: () => import('../../../core/domain/pegs.js'),
  providers: () => import('../../../core/domain/providers.js'),
  currencies: () => import('../../../core/domain/currencies.js'),
};

it('the data that ships is read, and sorted however the files are', async () => {
  for (const file of ['pegs', 'providers', 'currencies'])
    await change(file, (entries) => [...entries.slice(5).reverse(), ...entries.slice(0, 5)]);
  const { pegs, pegOf } = await load.pegs();
  const { providers, providerOf } = await load.providers();
  const { currencies } = await load.currencies();
  expect(pegs.length).toBeGreaterThan(20);
  expect([pegOf('HKD'), pegOf('AED')?.base]).toEqual([undefined, 'USD']);
  expect(providers.length).toBeGreaterThan(100);
  const ecb = { name: 'European Central Bank', country_code: 'EU', pivot_currency: 'EUR' };
  expect(providerOf('ECB')).toMatchObject(ecb);
  const euro = { iso_code: 'EUR', iso_numeric: '978', name: 'Euro', symbol: '€' };
  expect(currencies.get('EUR')).toEqual({ ...euro, minor_units: 2, lifetime: { from: '1999-01-04' } });
  const codes = [pegs.map(({ quote }) => quote), providers.map(({ key }) => key), [...currencies.keys()]];
  for (const one of codes) expect(one).toEqual(one.toSorted());
});

it('a currency has two decimals and no lifetime, unless the data says otherwise', async () => {
  const own = { from: '2020-01-01', until: '2021-01-01', from_source: 'https://example.com' };
  const facts = { iso_code: 'QQQ', iso_numeric: null, name: 'New', symbol: 'q' };
  await change('currencies', (entries) => [...entries, { ...facts, minor_units: null, lifetime: own }]);
  const { currencies, isCurrency, lifetimeOf, minorUnitsOf } = await load.currencies();
  const franc = { iso_code: 'CHF', iso_numeric: '756', name: 'Swiss Franc', symbol: 'CHF' };
  expect(currencies.get('CHF')).toEqual({ ...franc, minor_units: 2, lifetime: {} });
  expect(currencies.get('QQQ')).toMatchObject(facts);
  expect([isCurrency('QQQ'), isCurrency('QQR')]).toEqual([true, false]);
  expect([lifetimeOf('QQQ'), lifetimeOf('CHF')]).toEqual([{ from: '2020-01-01', until: '2021-01-01' }, {}]);
  expect([minorUnitsOf('QQQ'), minorUnitsOf('CHF')]).toEqual([undefined, 2]);
});

it('a peg ends on its own day, or with its currency', async () => {
  await change('pegs', withFirst({ until: '2030-01-01' }));
  const { pegOf } = await load.pegs();
  const ends = ['AED', 'ANG', 'BAM'].map((quote) => pegOf(quote)?.until);
  expect(ends).toEqual(['2030-01-01', '2025-07-01', undefined]);
});

describe('data that is wrong stops the program', () => {
  const WRONG: [module: keyof typeof load, file: string, member: string, ...values: unknown[]][] = [
    ['currencies', 'currencies', 'iso_code', 'AEDX', 'XAED', 'A', '123'],
    ['currencies', 'currencies', 'iso_numeric', '7841', 'x784', '7'],
    ['currencies', 'currencies', 'name', ''],
    ['currencies', 'currencies', 'symbol', ''],
    ['currencies', 'currencies', 'unknown', 1],
    ['currencies', 'currencies', 'minor_units', -1, 0.5],
    ['currencies', 'currencies', 'lifetime', { from: '2020-02-30' }, { until: 'never' }],
    ['pegs', 'pegs', 'quote', 'AEDX'],
    ['pegs', 'pegs', 'base', 'xUSD', 'U', '840'],
    ['pegs', 'pegs', 'rate', 0],
    ['pegs', 'pegs', 'since', '1990-13-01'],
    ['pegs', 'pegs', 'until', 'never'],
    ['pegs', 'pegs', 'source', 'a letter'],
    ['pegs', 'pegs', 'unknown', 1],
    ['providers', 'providers', 'key', 'x1AMCM', 'AMCM1', 'A', 'ABCDEFGHIJKLMNOPQ'],
    ['providers', 'providers', 'country_code', 'xMO', 'MOx', 'M'],
    ['providers', 'providers', 'pivot_currency', 'xUSD', 'USDx', 'U'],
    ['providers', 'providers', 'publish_cadence', 'yearly', ''],
    ['providers', 'providers', 'coverage_start', '01.01.1999'],
    ['providers', 'providers', 'blend_currencies', []],
    ['providers', 'providers', 'unknown', 1],
  ];

  it.each(WRONG)('%s: in %s a wrong %s', async (module, file, member, ...values) => {
    for (const value of values) {
      vi.resetModules();
      await change(file, withFirst({ [member]: value }));
      await expect(load[module](), String(value)).rejects.toThrow(z.ZodError);
    }
  });
});
