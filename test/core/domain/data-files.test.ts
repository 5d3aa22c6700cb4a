import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const CURRENCY_FILES = [
  'currencies.json',
  'currency_patches.json',
  'nascent_currencies.json',
  'defunct_currencies.json',
] as const;
type Entry = Record<string, unknown>;

const shipped = join(import.meta.dirname, '..', '..', '..', 'data');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-data-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  vi.resetModules();
  vi.doMock('../../../core/process/project-files.js', () => ({
    dataFile: (name: string) => join(folder, name),
  }));
  for (const file of [...CURRENCY_FILES, 'pegs.json', 'providers.json'])
    await change(file, (entries) => entries);
  return () => vi.doUnmock('../../../core/process/project-files.js');
});

/** Writes a file as it ships, changed. */
async function change(file: string, how: (entries: Entry[]) => unknown): Promise<void> {
  const entries = JSON.parse(await readFile(join(shipped, file), 'utf8')) as Entry[];
  await writeFile(join(folder, file), JSON.stringify(how(entries)));
}

/** With other values in its first entry. */
const withFirst = (changed: Entry) => (entries: Entry[]) => [
  { ...entries[0], ...changed },
  ...entries.slice(1),
];

const load = {
  'pegs.json': () => import('../../../core/domain/pegs.js'),
  'providers.json': () => import('../../../core/domain/providers.js'),
  'currencies.json': () => import('../../../core/domain/currencies.js'),
};

describe('the data that ships', () => {
  it('is read', async () => {
    const [{ pegs, pegOf, isAnchor }, { providers, providerOf }, { currencies, lifetimeOf }] =
      await Promise.all([load['pegs.json'](), load['providers.json'](), load['currencies.json']()]);
    expect(pegs.length).toBeGreaterThan(20);
    expect(pegOf('HKD')).toBeUndefined();
    expect(pegOf('AED')?.base).toBe('USD');
    expect([isAnchor('USD'), isAnchor('AED')]).toEqual([true, false]);
    expect(providerOf('ECB')?.name).toBe('European Central Bank');
    expect(providers).toHaveLength(109);
    expect(providers.find(({ key }) => key === 'ECB')).toMatchObject({
      country_code: 'EU',
      pivot_currency: 'EUR',
    });
    expect(currencies.get('EUR')).toEqual({ iso_code: 'EUR', iso_numeric: '978', name: 'Euro', symbol: '€' });
    expect(lifetimeOf('HRK')).toEqual({ until: '2023-01-01' });
  });

  it('is sorted, however the files are', async () => {
    for (const file of ['pegs.json', 'providers.json', 'currencies.json']) {
      await change(file, (entries) => [...entries.slice(5).reverse(), ...entries.slice(0, 5)]);
    }
    const { pegs } = await load['pegs.json']();
    const { providers } = await load['providers.json']();
    const { currencies } = await load['currencies.json']();
    for (const codes of [
      pegs.map(({ quote }) => quote),
      providers.map(({ key }) => key),
      [...currencies.keys()],
    ]) {
      expect(codes).toEqual(codes.toSorted());
    }
  });

  it('has patches that change a currency or add one, and lifetimes with one end or both', async () => {
    await change('currency_patches.json', () => [
      { iso_code: 'CHF', name: 'Franc', subunit_to_unit: 100 },
      { iso_code: 'EUR', symbol: 'E' },
      { iso_code: 'QQQ', iso_numeric: null, name: 'New', symbol: 'q' },
    ]);
    await change('nascent_currencies.json', () => [{ iso_code: 'QQQ', inception_date: '2020-01-01' }]);
    await change('defunct_currencies.json', () => [{ iso_code: 'QQQ', terminal_date: '2021-01-01' }]);
    const { currencies, isCurrency, lifetimeOf } = await load['currencies.json']();
    expect(currencies.get('CHF')).toEqual({
      iso_code: 'CHF',
      iso_numeric: '756',
      name: 'Franc',
      symbol: 'CHF',
    });
    expect(currencies.get('EUR')).toMatchObject({ name: 'Euro', symbol: 'E' });
    expect([isCurrency('QQQ'), isCurrency('QQR')]).toEqual([true, false]);
    expect(lifetimeOf('QQQ')).toEqual({ from: '2020-01-01', until: '2021-01-01' });
    expect(lifetimeOf('CHF')).toEqual({});
  });
});

it('a peg ends on its own day, or with its currency', async () => {
  await change('pegs.json', withFirst({ until: '2030-01-01' }));
  const { pegOf } = await load['pegs.json']();
  expect(['AED', 'ANG', 'BAM'].map((quote) => pegOf(quote)?.until)).toEqual([
    '2030-01-01',
    '2025-07-01',
    undefined,
  ]);
});

it("the operator's own sources stand beside those that ship", async () => {
  const { providers, setOwnProviders } = await load['providers.json']();
  const [first] = providers;
  if (!first) throw new Error('no provider');
  setOwnProviders([{ ...first, key: 'ZZZ' }]);
  expect(providers).toHaveLength(110);
});

describe('data that is wrong stops the program', () => {
  it.each<[keyof typeof load, string, Entry]>([
    ['currencies.json', 'currencies.json', { iso_code: 'AEDX' }],
    ['currencies.json', 'currencies.json', { iso_code: 'XAED' }],
    ['currencies.json', 'currencies.json', { iso_code: 'A' }],
    ['currencies.json', 'currencies.json', { iso_code: '123' }],
    ['currencies.json', 'currencies.json', { iso_numeric: '7841' }],
    ['currencies.json', 'currencies.json', { iso_numeric: 'x784' }],
    ['currencies.json', 'currencies.json', { iso_numeric: '7' }],
    ['currencies.json', 'currencies.json', { name: '' }],
    ['currencies.json', 'currencies.json', { symbol: '' }],
    ['currencies.json', 'currencies.json', { unknown: 1 }],
    ['currencies.json', 'currency_patches.json', { symbol: '' }],
    ['currencies.json', 'nascent_currencies.json', { inception_date: '2020-02-30' }],
    ['currencies.json', 'defunct_currencies.json', { terminal_date: 'never' }],
    ['pegs.json', 'pegs.json', { quote: 'AEDX' }],
    ['pegs.json', 'pegs.json', { base: 'xUSD' }],
    ['pegs.json', 'pegs.json', { base: 'U' }],
    ['pegs.json', 'pegs.json', { base: '840' }],
    ['pegs.json', 'pegs.json', { rate: 0 }],
    ['pegs.json', 'pegs.json', { since: '1990-13-01' }],
    ['pegs.json', 'pegs.json', { until: 'never' }],
    ['pegs.json', 'pegs.json', { source: 'a letter' }],
    ['pegs.json', 'pegs.json', { unknown: 1 }],
    ['providers.json', 'providers.json', { key: 'x1AMCM' }],
    ['providers.json', 'providers.json', { key: 'AMCM1' }],
    ['providers.json', 'providers.json', { key: 'A' }],
    ['providers.json', 'providers.json', { key: 'ABCDEFGHIJKLMNOPQ' }],
    ['providers.json', 'providers.json', { country_code: 'xMO' }],
    ['providers.json', 'providers.json', { country_code: 'MOx' }],
    ['providers.json', 'providers.json', { country_code: 'M' }],
    ['providers.json', 'providers.json', { pivot_currency: 'xUSD' }],
    ['providers.json', 'providers.json', { pivot_currency: 'USDx' }],
    ['providers.json', 'providers.json', { pivot_currency: 'U' }],
    ['providers.json', 'providers.json', { publish_cadence: 'yearly' }],
    ['providers.json', 'providers.json', { publish_cadence: '' }],
    ['providers.json', 'providers.json', { coverage_start: '01.01.1999' }],
    ['providers.json', 'providers.json', { blend_currencies: [] }],
    ['providers.json', 'providers.json', { unknown: 1 }],
  ])('%s: %s with %j', async (module, file, changed) => {
    await change(file, withFirst(changed));
    await expect(load[module]()).rejects.toThrow();
  });
});
