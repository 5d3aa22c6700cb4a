import { expect, it } from 'vitest';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import { eachDay } from '../../../../core/domain/dates.js';
import { writeShippedTables } from '../../../../tools/bootstrap/shipped-table.js';
import { loadShippedRates } from '../../../../worker/import/shipped-rates.js';
import { newFolder, ownDatabase } from '../../../core/support.js';
import { startApi } from '../../../support/api.js';
import { shippedIn } from '../../../support/shipped-rates.js';

const database = await ownDatabase();
const LAST = '2026-03-06';
/** The first day of the newest year. */
const LOADED_FROM = '2025-02-20';

const rows = [...eachDay('2019-06-03', LAST)].flatMap((date): RawRow[] => [
  { provider: 'ECB', date, base: 'EUR', quote: 'USD', rate: 1.25 },
  {
    provider: 'BOC',
    date,
    base: 'USD',
    quote: 'CAD',
    rate: date === LAST || date === '2020-01-02' ? 15 : 1.5,
  },
]);

const lines = (...dates: string[]) =>
  JSON.stringify(dates.map((date) => ({ date, base: 'EUR', quote: 'USD', amount: 1 })));

it('what reaches into days that are still to be loaded is a 503, and all else is as it will be', async () => {
  const folder = await newFolder();
  await writeShippedTables(folder, rows);
  const parts = loadShippedRates(database, shippedIn(folder));
  await parts.next();
  const api = await startApi(database, { clock: () => new Date(`${LAST}T17:00:00Z`) });
  const ask = async (path: string, body?: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(api.url + path, body === undefined ? {} : { method: 'POST', body, headers });
    const { status } = response;
    return { status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
  };
  // One after the other: on a busy machine, a request that waits for others may be refused.
  const askAll = async (questions: typeof served) => {
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    for (const question of questions) answers.push(await ask(...question));
    return answers;
  };
  const late: [path: string, body?: string][] = [
    ['/v2/rates?from=2019-06-03'],
    ['/v2/rates?from=2025-02-20&to=2025-02-22'],
    ['/v2/rates?from=2019-06-03&to=2019-06-10&providers=ECB'],
    ['/v2/rates.csv?from=2020-01-01&group=month&quotes=USD'],
    ['/v2/rates?date=2025-02-20'],
    ['/v2/rate/EUR/USD?date=2020-02-03'],
    ['/v2/convert/EUR/CAD?amount=5&date=2020-02-03'],
    ['/v2/convert', lines('2026-03-02', '2020-02-03')],
    ['/v2/coverage?quotes=USD'],
    ['/v2/suspects'],
    ['/v2/suspects?from=2025-03-05&to=2025-03-06'],
    ['/v2/suspects.csv?to=2026-01-01'],
    ['/v1/2020-01-02..2020-02-01'],
    ['/v1/blend/2020-01-02'],
    ['/sdmx/data/ECB,EXR/D.USD.EUR.SP00.A?startPeriod=2020-01-02'],
  ];
  const served: typeof late = [
    ['/v2/rates'],
    ['/v2/rates?from=2025-03-06'],
    ['/v2/rates?from=2025-04-06&group=month&expand=providers'],
    ['/v2/rate/EUR/CAD?date=2025-07-01&providers=ECB,BOC'],
    ['/v2/convert', lines('2026-03-02', '2025-05-05')],
    ['/v2/suspects?from=2025-03-06'],
    ['/v2/suspects.csv?from=2025-03-06'],
    ['/v2/revisions'],
    ['/v1/latest'],
    ['/v1/2025-03-10..'],
    ['/v2/currencies'],
    ['/v2/providers'],
  ];
  const message = `rates before ${LOADED_FROM} are still being loaded`;
  for (const question of late) {
    const { status, retryAfter, text } = await ask(...question);
    expect([status, retryAfter, text], question[0]).toEqual([503, '5', expect.stringContaining(message)]);
  }
  const before = await askAll(served);
  expect(before.map(({ status }) => status)).toEqual(served.map(() => 200));
  expect((await ask('/rules?date=2020-02-03')).text).toContain('are being loaded.');

  for await (const _ of parts); // Loads the rest.
  await api.catchUp();
  for (const question of late) expect((await ask(...question)).status, question[0]).not.toBe(503);
  expect(await askAll(served)).toEqual(before);
  const listed = async (path: string) => (await ask(path)).text.trim().split('\n').slice(1);
  const shipped = [
    expect.stringMatching(/^BOC,2026-03-06,.*,true$/),
    expect.stringMatching(/^BOC,2020-01-02,.*,true$/),
  ];
  expect((await listed('/v2/suspects.csv')).sort()).toEqual(shipped.toReversed());
  await api.close();
});
