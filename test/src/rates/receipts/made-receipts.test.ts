import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventLoop } from '../../../../core/concurrency/event-loop.js';
import { inOneView } from '../../../../core/database/transactions.js';
import { todayNumber } from '../../../../core/domain/clock.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import { verify } from '../../../../core/domain/receipt/verify.js';
import { createReceipts } from '../../../../src/rates/receipts/receipts.js';
import { daysToPick, onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import { loadSnapshot, type Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { openRawStore, type RawStore } from '../../../../src/rates/sources/raw-store.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';
import { lookUpsOf, reader, row } from '../sources/in-memory.js';

const clock = () => new Date('2026-03-20T12:00:00Z');
let database: TestDatabase;
let snapshot: Snapshot;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, [
    row('BOC 2026-02-17 USD/CHF 0.8'),
    row('NBU 2026-02-18 USD/CHF 0.8'),
    row('ECB 2026-03-04 EUR/CHF 0.9'),
    row('ECB 2026-03-04 EUR/USD 1.1'),
    row('ECB 2026-03-18 EUR/USD 1.2'),
    row('ECB 2026-03-18 EUR/JPY 180'),
    row('ECB 2026-03-19 EUR/USD 1.25'),
    row('ECB 2026-03-20 EUR/JPY 181'),
    row('BOC 2026-03-17 USD/CAD 1.35'),
    row('BOC 2026-03-19 JPY/CAD 0.009'),
    row('IMF 2026-03-19 USD/JPY 151'),
    row('NBU 2026-03-19 USD/JPY 149'),
    row('FRED 2026-03-19 USD/JPY 185'),
    // The pound is not published on the newest day, from which its ages are counted for what is pegged to it.
    row('FRED 2026-03-10 GBP/USD 1.35'),
    row('NBU 2026-03-16 GBP/USD 1.28'),
    row('HMRC 2026-03-01 GBP/USD 1.3'),
    row('HMRC 2026-03-15 GBP/JPY 200'),
  ]);
  await database.pool.query(`
    insert into run_responses (run, number, url, fetched_at, sha256, bytes)
      select 7, number, 'https://bank.test/' || number, '2026-03-19T13:59:00.125Z', sha256('rates'), number
      from generate_series(0, 24) as number;
    update rates set run = 7 where provider = 'IMF'; update rates set run = 8 where provider = 'NBU'`);
  snapshot = await inOneView(database, loadSnapshot);
});
afterAll(() => database?.close());

interface Asked {
  date?: string;
  providers?: string[] | undefined;
  /** What is changed about the rate that was found. */
  times?: number;
  later?: number;
}

async function receiptOf(pair: string, { date = '2026-03-20', providers, times = 1, later = 0 }: Asked = {}) {
  const [base = '', quote = ''] = pair.split('/');
  const store = openRawStore(database, createEventLoop());
  const reads: unknown[] = [];
  const raw: RawStore = {
    ...store,
    read: (of, selection, ...rest) => {
      reads.push(selection);
      return store.read(of, selection, ...rest);
    },
    since: (of, day, ...rest) => {
      reads.push({ since: day });
      return store.since(of, day, ...rest);
    },
  };
  const asked = dayNumber(date);
  const lookUps = await lookUpsOf(
    { raw, snapshot, tomorrow: todayNumber(clock) + 1 },
    { providers, days: daysToPick(onOrBefore(asked)) },
  );
  const found = lookUps.find(base, quote, onOrBefore(asked));
  if (!found) throw new Error(`no rate of ${pair}`);
  const make = createReceipts({ raw, database });
  const columns = lookUps.columnsFor(base);
  const url = `/v2/rate/${pair}?${providers ? `providers=${providers.join()}&` : ''}date=${date}&as_of=${new Date(snapshot.knownAt).toISOString()}&expand=receipt`;
  const changed = { day: found.day + later, rate: found.rate * times };
  reads.length = 0;
  const receipt = await make(
    { snapshot, providers, base, quote, asked, columns, found: changed, url },
    reader,
  );
  return { found, receipt, reads };
}

/** `JPY ECB EUR/JPY 20 bridge`, in the order of the receipt. */
function inputsIn({ inputs }: Receipt): string[] {
  return inputs.map((input) => {
    const part = input.bridge ? 'bridge' : (input.left_out ?? `weight ${input.weight}`);
    return `${input.for} ${input.provider} ${input.base}/${input.quote} ${input.date.slice(-2)} ${part}`;
  });
}

describe('a receipt', () => {
  it.each([
    ['EUR/USD', undefined],
    ['USD/EUR', undefined],
    ['EUR/JPY', undefined],
    ['JPY/CAD', undefined],
    ['USD/USD', undefined],
    ['EUR/EUR', undefined],
    ['EUR/XOF', undefined],
    ['XOF/JPY', undefined],
    ['AED/JPY', undefined],
    ['GBP/FKP', undefined],
    ['FKP/GBP', undefined],
    ['FKP/JPY', undefined],
    ['EUR/USD', ['ECB']],
    ['JPY/USD', ['ECB']],
    ['EUR/EUR', ['ECB']],
    ['USD/JPY', ['BOC']],
    ['EUR/JPY', ['BOC', 'ECB']],
    ['USD/JPY', ['FRED', 'IMF', 'NBU']],
    ['GBP/USD', ['HMRC']],
    ['USD/JPY', ['HMRC']],
  ])('of %s (providers: %s) proves the rate', async (pair, providers) => {
    const { found, receipt } = await receiptOf(pair, { providers });
    const { ratio } = receipt.steps;
    expect(Math.abs(ratio.rate / found.rate - 1)).toBeLessThan(1e-12);
    expect(dayNumber(ratio.date)).toBe(found.day);
    expect(`${ratio.base.currency}/${ratio.quote.currency}`).toBe(pair);
    expect(verify(JSON.stringify(receipt))).toMatchObject({ rate: ratio.rate });
    expect(receipt).toMatchObject({ method: 2, known_at: new Date(snapshot.knownAt).toISOString() });
  });

  it('of a blend has the rows behind both currencies, each in its part, in order', async () => {
    const { receipt } = await receiptOf('EUR/JPY');
    expect(inputsIn(receipt)).toEqual([
      'EUR ECB EUR/USD 19 weight 1',
      'JPY BOC JPY/CAD 19 weight 1',
      'JPY BOC USD/CAD 17 bridge',
      'JPY ECB EUR/JPY 20 weight 1',
      'JPY ECB EUR/USD 19 bridge',
      'JPY FRED USD/JPY 19 outlier',
      'JPY IMF USD/JPY 19 weight 1',
      'JPY NBU USD/JPY 19 weight 1',
    ]);
    expect(receipt.steps.ratio.base.date).toBe('2026-03-19');
    expect(receipt.steps.ratio.quote.date).toBe('2026-03-20');
  });

  it('has rows of the fourteen days up to the rate', async () => {
    const { receipt } = await receiptOf('USD/CHF', { date: '2026-03-18' });
    expect(inputsIn(receipt)).toEqual([
      'CHF ECB EUR/CHF 04 weight 1',
      'CHF ECB EUR/USD 04 bridge',
      `CHF NBU USD/CHF 18 weight ${Math.exp(-5.5)}`,
    ]);
    const own = await receiptOf('EUR/CHF', { date: '2026-03-18', providers: ['ECB'] });
    expect(inputsIn(own.receipt)).toEqual(['CHF ECB EUR/CHF 04 weight 1']);
  });

  it('of a new rate is made from the newest rows, which are kept; others from the rows of their days', async () => {
    // What rows without an earlier one of their pair were judged by is read after them.
    const readFor = async (...asked: Parameters<typeof receiptOf>) =>
      (await receiptOf(...asked)).reads.slice(0, 1);
    const last = dayNumber('2026-03-20');
    expect(await readFor('EUR/JPY')).toEqual([{ since: last - 42 }]);
    expect(await readFor('EUR/JPY', { providers: ['ECB', 'IMF'] })).toEqual([{ since: last - 42 }]);
    // The rows of one source are all its own, blended or not.
    const days = { from: last - 28, to: last };
    expect(await readFor('EUR/JPY', { providers: ['ECB'] })).toEqual([
      { ...days, currencies: ['EUR', 'JPY'], providers: ['ECB'], isRecordWanted: true },
    ]);
    const old = { from: dayNumber('2026-02-17') - 28, to: dayNumber('2026-02-17') };
    expect(await readFor('USD/CHF', { date: '2026-02-17' })).toEqual([
      { ...old, currencies: ['CHF', 'USD'], isRecordWanted: true },
    ]);
    expect(await readFor('USD/USD')).toEqual([]);
  });

  it('of several providers has their rows only, and no pegs', async () => {
    const { receipt } = await receiptOf('EUR/JPY', { providers: ['ECB', 'IMF'] });
    expect(new Set(receipt.inputs.map(({ provider }) => provider))).toEqual(new Set(['ECB', 'IMF']));
    expect((await receiptOf('EUR/XOF')).receipt.steps.peg).toEqual([
      { currency: 'XOF', base: 'EUR', rate: 655.957 },
    ]);
    expect(receipt.steps.peg).toEqual([]);
  });

  it("of a source's official rates has the rows of their period", async () => {
    const { receipt } = await receiptOf('USD/JPY', { providers: ['HMRC'], date: '2026-03-31' });
    expect(inputsIn(receipt)).toEqual(['JPY HMRC GBP/JPY 15 weight 1', 'USD HMRC GBP/USD 01 weight 1']);
  });

  it('has the first twenty responses that a row was read from, and says where they are not known', async () => {
    const { receipt } = await receiptOf('USD/JPY');
    const evidence = new Map(receipt.inputs.map((input) => [input.provider, input.evidence]));
    expect(evidence.get('IMF')).toHaveLength(20);
    expect(evidence.get('IMF')?.[1]).toEqual({
      url: 'https://bank.test/1',
      fetched_at: '2026-03-19T13:59:00.125Z',
      sha256: 'ff24aad2c015d2e6657f5bf49ca76a3d1c3c3fdfb2e14c06601f415cab77ce4c',
      bytes: 1,
    });
    expect([evidence.get('NBU'), evidence.get('ECB')]).toEqual([null, null]);
    for (const { recorded_at } of receipt.inputs)
      expect(Date.parse(recorded_at)).toBeLessThanOrEqual(snapshot.knownAt);
  });

  it.each([undefined, ['ECB'], ['BOC', 'ECB']])(
    'is not made for another rate or day (providers: %s)',
    async (providers) => {
      const wrong = /^the rows do not make the rate of EUR\/JPY of 2026-03-2\d: \d/;
      await receiptOf('EUR/JPY', { providers, times: 1 + 1e-13 });
      await expect(receiptOf('EUR/JPY', { providers, times: 1 + 1e-11 })).rejects.toThrow(wrong);
      await expect(receiptOf('EUR/JPY', { providers, times: 1 - 1e-11 })).rejects.toThrow(wrong);
      await expect(receiptOf('EUR/JPY', { providers, later: 1 })).rejects.toThrow(wrong);
    },
  );
});
