import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { useSources } from '../../../../core/sources/custom-sources.js';
import { importRates } from '../../../../worker/import/import.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { databaseWith } from '../../../support/rates.js';

const CSV = `provider,date,base,quote,rate
BMF,2026-07-01,EUR,USD,1.1654
BMF,2026-07-01,EUR,GBP,0.87
BMF,2026-08-01,EUR,USD,1.1712
`;
const folder = await mkdtemp(join(tmpdir(), 'sources-'));
let api: TestApi;

/** Describes the source as an operator does. Without a period, its rates are those of single days. */
async function describeSource(period = 'period: month\n'): Promise<void> {
  await writeFile(
    join(folder, 'bmf.yaml'),
    `key: BMF\nname: Finance Ministry\npivot_currency: EUR\n${period}`,
  );
  useSources({ SOURCES_DIR: folder });
}

beforeAll(async () => {
  await describeSource();
  const database = await databaseWith([]);
  await importRates(database, Readable.from([CSV]), { today: '2026-08-20' });
  api = await startApi(database, { clock: () => new Date('2026-08-20T09:00:00Z') });
  return async () => {
    useSources({});
    await api.close();
    await database.close();
    await rm(folder, { recursive: true });
  };
});

async function json(path: string) {
  const response = await fetch(api.url + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const convert = (pair: string, date: string) =>
  json(`/v2/convert/${pair}?amount=1000&date=${date}&rule=de-vat`);

describe('a rule whose source the operator provides', () => {
  it('gives the rate of the month, in a request, in a line, and on the page', async () => {
    const rule = { id: 'de-vat', source: 'BMF', day: '2026-07-31' };
    const { body } = await convert('USD/EUR', '2026-07-31');
    expect(body).toMatchObject({ observed: '2026-07-01', result: '858.07', rule });
    expect((await convert('GBP/USD', '2026-07-31')).body).toMatchObject({ result: '1339.54' });
    expect((await convert('USD/EUR', '2026-08-01')).body).toMatchObject({ observed: '2026-08-01' });
    const line = { amount: '1000', base: 'USD', quote: 'EUR', date: '2026-07-31', rule: 'de-vat' };
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const lines = await fetch(`${api.url}/v2/convert`, { ...post, body: JSON.stringify([line]) });
    expect(await lines.json()).toMatchObject([{ observed: '2026-07-01', result: '858.07', rule }]);
    const page = await (await fetch(`${api.url}/rules?date=2026-07-31`)).text();
    expect(page).toMatch(/858\.07.*rule=de-vat<\/code>/s);
    expect(page).not.toContain('the monthly means of the Finance Ministry');
  });

  it('never takes the rate of another month', async () => {
    expect(await convert('USD/EUR', '2026-09-01')).toMatchObject({
      status: 404,
      body: { message: 'not published yet: BMF has no rate of USD for 2026-09-01' },
    });
    expect(await convert('GBP/EUR', '2026-08-02')).toMatchObject({ status: 404 });
  });

  it('is listed as available, and as unavailable without its source or its period', async () => {
    const ids = async () => {
      const { rules, unavailable } = (await json('/v2/rules')).body as Record<string, { id: string }[]>;
      const isListed = rules?.some(({ id }) => id === 'de-vat');
      return { isListed, unavailable: unavailable?.map(({ id }) => id) };
    };
    expect(await ids()).toEqual({ isListed: true, unavailable: ['us-customs'] });
    for (const leaveOut of [() => describeSource(''), async () => void useSources({})]) {
      await leaveOut();
      expect(await ids()).toEqual({ isListed: false, unavailable: ['de-vat', 'us-customs'] });
      expect(await convert('USD/EUR', '2026-07-30')).toMatchObject({ status: 422 });
    }
    await describeSource();
    expect(await convert('USD/EUR', '2026-07-30')).toMatchObject({ status: 200 });
  });
});
