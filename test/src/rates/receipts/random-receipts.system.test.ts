import { expect, it, onTestFinished } from 'vitest';
import { verify } from '../../../../core/domain/receipt/verify.js';
import { writeShippedTables } from '../../../../tools/bootstrap/shipped-table.js';
import { newFolder } from '../../../core/support.js';
import { startApi } from '../../../support/api.js';
import { applyAll, randomNumbers, someDay, storeEvents } from '../../../support/changing-store.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { loadAll, shippedIn, shippedRates } from '../../../support/shipped-rates.js';
import { pickBy } from '../history/random-questions.js';

const CODES = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'CAD', 'UAH', 'MWK', 'KWD', 'AED', 'XOF', 'DKK'];

/** Asks an API on a database that is filled first. */
async function openOn(fill: (database: TestDatabase) => Promise<unknown>) {
  const database = await testDatabase();
  await fill(database);
  const api = await startApi(database);
  onTestFinished(async () => {
    await api.close();
    await database.close();
  });
  const get = async (path: string) => {
    const response = await fetch(`${api.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  /** The row and the receipt of an answer that is the one without a receipt, and verifies; undefined for an error. */
  async function prove(path: string) {
    const [plain, proven] = [await get(path), await get(`${path}&expand=receipt`)];
    expect([path, proven.status]).toEqual([path, plain.status]);
    if (proven.status !== 200) return undefined;
    const { receipt, ...row } = JSON.parse(proven.text);
    expect([path, row]).toEqual([path, JSON.parse(plain.text)]);
    const { rate } = receipt.steps.ratio;
    expect([path, verify(proven.text)]).toEqual([path, expect.objectContaining({ rate })]);
    expect([path, (await get(receipt.url)).text]).toEqual([path, proven.text]);
    return { receipt, row };
  }
  return { get, prove };
}

it('a hundred random rates verify without the store', async () => {
  const random = randomNumbers(23);
  const pick = pickBy(random);
  const events = storeEvents(random, 60);
  const { prove } = await openOn((database) => applyAll(database, events));
  const seen = { proven: 0, pegs: 0, bridges: 0, own: 0, crossed: 0 };
  for (let asked = 0; seen.proven < 100 && asked < 400; asked++) {
    const pair = `${pick(CODES)}/${pick(CODES)}`;
    const day = pick(['', `&date=${someDay(random, 15)}`]);
    const known = pick(['', '', `&as_of=${pick(events).at.toISOString()}`]);
    const source = pick(['', '', '&providers=ECB,NBU', '&providers=ECB', '&providers=NBU']);
    const full = pick(['precision=display', 'precision=full']);
    const route = random() < 0.3 ? `convert/${pair}?amount=1250.50` : `rate/${pair}?${full}`;
    const found = await prove(`/v2/${route}${day}${known}${source}`);
    if (!found) continue;
    const { inputs, steps } = found.receipt;
    seen.proven++;
    if (inputs.some(({ bridge }: { bridge?: boolean }) => bridge)) seen.bridges++;
    if (steps.peg.length > 0) seen.pegs++;
    if (steps.source) seen.own++;
    if (steps.source?.figures.length === 2) seen.crossed++;
  }
  expect(seen.proven).toBe(100);
  for (const count of Object.values(seen)) expect([seen, count > 0]).toEqual([seen, true]);
}, 180_000);

it("every source's own rates verify: of pairs as published, the other way round and crossed", async () => {
  const pick = pickBy(randomNumbers(29));
  const { get, prove } = await openOn(async (database) => {
    const folder = await newFolder();
    await writeShippedTables(folder, await shippedRates('2025-01-01'));
    await loadAll(database, shippedIn(folder));
  });
  const providers: { key: string; end_date: string | null }[] = JSON.parse((await get('/v2/providers')).text);
  const seen = { proven: 0, published: 0, crossed: 0, official: 0 };
  for (const { key, end_date } of providers.filter(({ end_date }) => end_date)) {
    const own = `providers=${key}&date=${end_date}`;
    const rates: { base: string; quote: string }[] = JSON.parse((await get(`/v2/rates?${own}`)).text);
    const codes = [...new Set(rates.flatMap(({ base, quote }) => [base, quote]))];
    for (const precision of codes.length > 0 ? ['display', 'full'] : []) {
      const path = `/v2/rate/${pick(codes)}/${pick(codes)}?${own}&precision=${precision}`;
      const found = await prove(path);
      if (!found) continue;
      seen.proven++;
      const { length } = found.receipt.steps.source.figures;
      if (length === 1) seen.published++;
      if (length === 2) seen.crossed++;
      if (found.row.valid_from) seen.official++;
    }
  }
  for (const count of Object.values(seen)) expect([seen, count > 0]).toEqual([seen, true]);
}, 180_000);
