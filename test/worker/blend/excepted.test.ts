import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProgramOutdated } from '../../../core/database/blend-method.js';
import { BLEND_METHOD, exceptProviders } from '../../../core/domain/providers.js';
import { claimBlends, renewBlends } from '../../../worker/blend/reblend.js';
import { exported, HEADER, importLines } from '../import/support.js';
import { dollars, feedOf, ingestFrom, openLog, ownDatabase, ratesOf, readLines } from '../ingest/support.js';
import { loadAsShipped, WRITING } from './support.js';

const database = await ownDatabase();
afterEach(() => exceptProviders([]));

const read = (query: string) => readLines(database, query);
const pounds = ratesOf('USD/LBP');
const EURO = [dollars('2026-03-02'), dollars('2026-03-03')];
/** Another euro, and a currency that nobody else has. */
const LEBANON = EURO.flatMap(({ date }) => [dollars(date, 1.2), pounds(date, 89_500)]);
const claim = () => claimBlends(database, openLog().log);
const ingestEuro = () => ingestFrom(database, feedOf('ECB', EURO));
const ingestLebanon = () => ingestFrom(database, feedOf('BDL', LEBANON));
const setMethod = (method: number) => database.pool.query('update data_versions set method = $1', [method]);

/** All that is made of the rates. */
const made = () =>
  Promise.all([
    read('select * from blended_days order by date, quote'),
    read('select * from currencies order by code'),
  ]);
const versions = () => read('select excepted, changed_from, changed_to from data_versions order by version');
const excepted = () => read('select excepted from data_versions order by version');
const stored = () => read('select provider, count(*) from rates group by 1 order by 1');
const codes = () => read('select code from currencies order by 1');

describe('the blends of a provider that is excepted since', () => {
  it('go when a worker takes them over, and come back, and all its rates stay', async () => {
    await ingestEuro();
    const without = await made();
    await ingestLebanon();
    const withAll = await made();
    expect(withAll).not.toEqual(without);
    expect(await codes()).toContain('LBP');

    exceptProviders(['BDL']);
    expect(await claim()).toBe(3n);
    expect(await made()).toEqual(without);
    expect(await stored()).toEqual(['BDL 4', 'ECB 2']);
    expect((await versions()).at(-1)).toBe('BDL 2026-03-02 2026-03-03');
    expect(await claim()).toBeUndefined();

    exceptProviders([]);
    expect(await claim()).toBe(4n);
    expect(await made()).toEqual(withAll);
    expect(await excepted()).toEqual(['', '', 'BDL', '']);
  });

  it('are taken over once by workers that start together, and what is written then is without them', async () => {
    await ingestEuro();
    await ingestLebanon();
    exceptProviders(['BDL', 'BM']);
    const taken = await Promise.all([1, 2, 3].map(() => claim()));
    expect(taken.filter((version) => version !== undefined)).toEqual([3n]);
    await ingestFrom(database, feedOf('ECB', [dollars('2026-03-02', 1.3)]));
    const euro = await read("select rate from blended_days where quote = 'EUR' order by date");
    expect(euro.map(Number)).toEqual([1 / 1.3, 1 / 1.1]);
    expect(await excepted()).toEqual(['', '', 'BDL,BM', 'BDL,BM']);
  });

  it('are renewed by the newer method with that', async () => {
    await ingestEuro();
    await ingestLebanon();
    await setMethod(BLEND_METHOD - 1);
    exceptProviders(['BDL']);
    expect(await claim()).toBe(3n);
    expect(await renewBlends(database)).toBeUndefined();
  });

  it('are left to newer programs where they are of a newer method, and there are none in an empty database', async () => {
    exceptProviders(['BDL']);
    expect(await claim()).toBeUndefined();
    exceptProviders([]);
    await ingestEuro();
    await setMethod(BLEND_METHOD + 1);
    exceptProviders(['BDL']);
    await expect(claim()).rejects.toThrow(ProgramOutdated);
  });

  it('leave its suspects as they were', async () => {
    await ingestEuro();
    const rates = [pounds('2026-03-02', 89_500), pounds('2026-03-03', 8_950), pounds('2026-03-04', 89_500)];
    await ingestFrom(database, feedOf('BDL', rates));
    const suspects = () => read('select * from suspects join suspect_states on suspect = id');
    const before = await suspects();
    expect(await read('select provider, rate, status from suspects')).toEqual(['BDL 8950 held']);
    for (const keys of [['BDL'], []]) {
      exceptProviders(keys);
      await claim();
      expect(await suspects()).toEqual(before);
    }
  });
});

it.each([...WRITING, ['renewing blends', renewBlends] as const])(
  'a program that excepts others than the blends is kept from %s',
  async (_what, write) => {
    await ingestLebanon();
    const before = await made();
    exceptProviders(['BM', 'BFM']);
    const message =
      'the database is blended with PROVIDERS_EXCEPT=, and this program has PROVIDERS_EXCEPT=BFM,BM: use the same value; ' +
      'when a worker starts, it blends all history again with its own';
    await expect(write(database)).rejects.toThrow(new ProgramOutdated(message));
    expect(await made()).toEqual(before);
    expect([await stored(), await versions()]).toEqual([['BDL 4'], [' 2026-03-02 2026-03-03']]);
  },
);

describe('rows of an excepted provider', () => {
  const ROWS = ['BDL,2026-03-02,USD,LBP,89500', 'BM,2026-03-02,USD,MZN,63.9', 'ECB,2026-03-02,EUR,USD,1.1'];
  const DROPPED = { rowsNew: 1, rowsDropped: { excepted: 2 } };
  beforeEach(() => exceptProviders(['BDL', 'BM']));

  it('are not among the first data', async () => {
    expect(await loadAsShipped(database, ROWS)).toMatchObject([{ rowsNew: 1, isLast: true }]);
    expect(await stored()).toEqual(['ECB 1']);
    expect(await codes()).not.toContain('LBP');
    expect(await read('select key from providers')).toEqual(['ECB']);
    expect(await excepted()).toEqual(['BDL,BM']);
  });

  it('are dropped and counted by an import, and those of nobody still refused', async () => {
    expect(await importLines(database, [HEADER, ...ROWS])).toMatchObject(DROPPED);
    const unknown = importLines(database, [HEADER, 'XYZ,2026-03-02,EUR,USD,1.1']);
    await expect(unknown).rejects.toThrow('unknown provider "XYZ"');
    expect(await stored()).toEqual(['ECB 1']);
  });

  it('are not exported, though they are stored', async () => {
    exceptProviders([]);
    await importLines(database, [HEADER, ...ROWS, 'BDL,2026-03-03,USD,LBP,89500']);
    const keys = async () => (await exported(database)).map((line) => line.split(',')[0]);
    expect(await keys()).toEqual(['provider', 'BDL', 'BDL', 'BM', 'ECB']);
    exceptProviders(['BDL', 'BM']);
    expect(await keys()).toEqual(['provider', 'ECB']);
  });
});
