import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verify } from '../../../core/domain/receipt/verify.js';
import { importRates } from '../../../worker/import/import.js';
import { startApi, type TestApi } from '../../support/api.js';
import { randomNumbers } from '../../support/changing-store.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { firstRatesFrom } from '../../support/service.js';

const PAIRS = 2;

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  const rows = gunzipSync(await firstRatesFrom('2025-01-01'));
  await importRates(database, Readable.from([rows]), { today: '2026-12-31' });
  api = await startApi(database);
}, 180_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

async function get(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${api.url}${path}`);
  return { status: response.status, text: await response.text() };
}

it("proves every source's own rates: of pairs as published, the other way round and crossed", async () => {
  const random = randomNumbers(29);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const providers = JSON.parse((await get('/v2/providers')).text) as {
    key: string;
    end_date: string | null;
  }[];
  const seen = { proven: 0, published: 0, crossed: 0, official: 0 };
  for (const { key, end_date } of providers) {
    if (!end_date) continue;
    const rates = JSON.parse((await get(`/v2/rates?providers=${key}&date=${end_date}`)).text);
    const codes: string[] = [
      ...new Set<string>(rates.flatMap((row: { base: string; quote: string }) => [row.base, row.quote])),
    ];
    for (let asked = 0; asked < PAIRS && codes.length > 0; asked++) {
      const path = `/v2/rate/${pick(codes)}/${pick(codes)}?providers=${key}&date=${end_date}${pick(['', '&precision=full'])}`;
      const [plain, proven] = [await get(path), await get(`${path}&expand=receipt`)];
      expect([path, proven.status]).toEqual([path, plain.status]);
      if (proven.status !== 200) continue;
      const { receipt, ...row } = JSON.parse(proven.text);
      expect([path, row]).toEqual([path, JSON.parse(plain.text)]);
      expect([path, verify(proven.text)]).toEqual([
        path,
        expect.objectContaining({ rate: receipt.steps.ratio.rate }),
      ]);
      seen.proven++;
      const { figures } = receipt.steps.source;
      if (figures.length === 1) seen.published++;
      if (figures.length === 2) seen.crossed++;
      if (row.valid_from) seen.official++;
    }
  }
  for (const count of Object.values(seen)) expect([seen, count > 0]).toEqual([seen, true]);
}, 180_000);
