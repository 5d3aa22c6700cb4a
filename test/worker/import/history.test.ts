import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportRates } from '../../../core/database/bulk/export-rates.js';
import { importRates } from '../../../worker/import/import.js';
import { startApi, type TestApi } from '../../support/api.js';
import { applyAll, randomNumbers, someDay, storeEvents } from '../../support/changing-store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const HEADER = 'provider,date,base,quote,rate,recorded_at,replaced_at,cause,suspect';
const today = '2026-11-01';

let one: TestDatabase;
let other: TestDatabase;
let apis: TestApi[] = [];
const random = randomNumbers(3);
const events = storeEvents(random, 60);

const exported = async (database: TestDatabase) => {
  const output = new PassThrough();
  const [csv] = await Promise.all([text(output), exportRates(database, output, { history: true })]);
  return csv;
};
const load = (database: TestDatabase, csv: string) => importRates(database, Readable.from([csv]), { today });

beforeAll(async () => {
  [one, other] = await Promise.all([testDatabase(), testDatabase()]);
  await applyAll(one, events);
  await load(other, await exported(one));
  apis = [await startApi(one), await startApi(other)];
}, 180_000);
afterAll(async () => {
  for (const api of apis) await api.close();
  await Promise.all([one?.close(), other?.close()]);
});

it('a database is moved whole: another one has the same history', async () => {
  const csv = await exported(one);
  expect(csv.split('\n')[0]).toBe(HEADER);
  expect(csv).toMatch(/,2026-01-\d\dT[\d:.]+Z,2026-01-\d\dT[\d:.]+Z,,/);
  expect(csv).toMatch(/held@\S+ (accepted|rejected|confirmed|corrected)@/);
  expect(await exported(other)).toBe(csv);
});

it('and gives the same answers, now and as of any instant, to the last digit', async () => {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const paths = [
    '/v2/rates?',
    '/v2/rates?expand=providers&',
    '/v2/rates?providers=ECB&',
    '/v2/rates?from=2026-01-10&to=2026-02-20&',
    '/v2/revisions?',
  ];
  for (let asked = 0; asked < 60; asked++) {
    const path = pick(paths);
    const at = new Date(pick(events).at.getTime() + Math.floor(random() * 3_600_000)).toISOString();
    const when = path.includes('revisions')
      ? `until=${at}`
      : `precision=full&${pick(['', `as_of=${at}`, `as_of=${at}`, path.includes('from') ? '' : `date=${someDay(random, 15)}`])}`;
    const [first, second] = await Promise.all(
      apis.map(async ({ url }) => {
        const response = await fetch(`${url}${path}${when}`);
        const body = await response.text();
        // Those that were made at one instant come in any order.
        const isList = path.includes('revisions') && response.status === 200;
        const shown = isList ? (JSON.parse(body) as object[]).map((one) => JSON.stringify(one)).sort() : body;
        return [path + when, response.status, shown];
      }),
    );
    expect(second).toEqual(first);
  }
});

it('only an empty database takes a history', async () => {
  await expect(load(other, `${HEADER}\n`)).rejects.toThrow('can only fill an empty database');
});

it.each([
  ['ECB,2026-03-02,EUR,USD,1.1,yesterday,,,', 'line 2: not an instant: "yesterday"'],
  ['ECB,2026-03-02,EUR,USD,1.1,2026-03-02T16:00:00.000Z,,error,', 'line 2: not a cause: "error"'],
  ['ECB,2026-03-02,EUR,USD,1.1,2026-03-02T16:00:00.000Z,,,odd', 'line 2: not a suspect: "odd"'],
  ['ECB,2026-03-02,MWK,USD,1e-309,2026-03-02T16:00:00.000Z,,,', 'line 2: rate out of bounds: 1e-309'],
  ['ECB,2026-03-02,EUR,USD,1e21,2026-03-02T16:00:00.000Z,,,', 'line 2: rate out of bounds: 1e21'],
  ['ECB,2026-03-02,EUR,USD,-1,2026-03-02T16:00:00.000Z,,,', 'line 2: rate out of bounds: -1'],
  ['ECB,2026-03-02,EUR,USD,1.1', 'line 2: expected 9 fields, found 5'],
])('names the line of %s', async (line, message) => {
  const empty = await testDatabase();
  await expect(load(empty, `${HEADER}\n${line}\n`)).rejects.toThrow(message);
  await empty.close();
});
