import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspectsBetween } from '../../../core/database/suspects.js';
import { inOneView } from '../../../core/database/transactions.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { readLines } from '../ingest/support.js';
import { importAll } from './same-rows.js';

/** Months in which currencies jumped, and those of the sources' own errors, each with the one before it. */
const MONTHS = [
  ...['1985-04', '1985-05', '1985-07', '1985-08', '1994-11', '1994-12', '1997-11', '1997-12'],
  ...['2000-10', '2000-11', '2001-01', '2001-02', '2001-11', '2001-12', '2008-09', '2008-10'],
  ...['2008-11', '2008-12', '2014-11', '2014-12', '2018-07', '2018-08', '2021-11', '2021-12'],
  ...['2022-02', '2022-03'],
];
const ERRORS = [
  'FRED 1985-05-14 USD/DKK 11.975',
  'FRED 1985-08-26 USD/DKK 10.7025',
  'FRED 2000-11-28 USD/DKK 8.278',
  'SBI 1985-05-30 CNY/ISK 0.146',
];

/** Jumps that two of the banks saw, each with the blend of the day. */
const SEEN: [day: string, currency: string, rate: number][] = [
  ['2001-12-20', 'ZAR', 13.5],
  ['2008-10-08', 'BRL', 2.4],
  ['2014-12-16', 'RUB', 70],
  ['2014-12-17', 'RUB', 66],
  ['2018-08-13', 'TRY', 6.9],
  ['2021-12-16', 'TRY', 15.6],
  ['2021-12-20', 'TRY', 17.8],
];

const FOLDER = join(projectFolder, '../shared/history');
const recordingsAreHere = existsSync(FOLDER);

describe.skipIf(!recordingsAreHere)('the histories of three central banks', () => {
  let database: TestDatabase;
  let held: string[];
  beforeAll(async () => {
    database = await testDatabase();
    for (const provider of ['ECB', 'FRED', 'SBI']) {
      const file = readFileSync(join(FOLDER, `${provider.toLowerCase()}.csv.gz`));
      const lines = gunzipSync(file).toString().split('\n');
      await importAll(
        database,
        lines.filter((line) => MONTHS.includes(line.slice(0, 7))).map((line) => `${provider},${line}`),
      );
    }
    const suspects = await inOneView(database, (view) =>
      suspectsBetween(view, { from: '1900-01-01', to: '2999-12-31' }),
    );
    held = suspects
      .filter(({ status }) => status === 'held')
      .map(({ provider, date, base, quote, rate }) => `${provider} ${date} ${base}/${quote} ${rate}`);
  });
  afterAll(() => database?.close());

  it('of three central banks, hardly more is held back than their own errors', () => {
    expect(held).toEqual(expect.arrayContaining(ERRORS));
    expect(held.length).toBeLessThanOrEqual(8);
  });

  it.each(SEEN)('on %s the jump of the %s that two of them saw is blended', async (day, currency, rate) => {
    const query = `select rate from blended_days where date = '${day}' and quote = '${currency}'`;
    expect(Number((await readLines(database, query))[0]) / rate).toBeCloseTo(1, 1);
    expect(held.filter((line) => line.includes(day) && line.includes(currency))).toEqual([]);
  });

  it.each(['2008-10-07', '2008-10-08', '2008-10-09', '2008-12-08'])(
    'on %s the krona jumps, and nothing else',
    async (day) => {
      const query = `select count(*) from blended_days where date = '${day}' and quote in ('ISK', 'EUR', 'GBP', 'JPY', 'SEK')`;
      expect(await readLines(database, query)).toEqual(['5']);
      const moved = `
    select quote from blended_days as own join lateral (
      select rate from blended_days where quote = own.quote and date < own.date order by date desc limit 1
    ) as before on true
    where own.date = '${day}' and quote in ('EUR', 'GBP', 'JPY', 'SEK', 'CHF', 'DKK', 'CAD') and abs(own.rate / before.rate - 1) > 0.06`;
      expect(await readLines(database, moved)).toEqual([]);
    },
  );
});
