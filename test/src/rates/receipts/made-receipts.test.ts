import { beforeAll, describe, expect, it, vi } from 'vitest';
import { inOneView } from '../../../../core/database/transactions.js';
import { dayNumber, todayNumber } from '../../../../core/domain/dates.js';
import { daysToPick, onOrBefore } from '../../../../core/domain/day-pick.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import { verify } from '../../../../core/domain/receipt/verify.js';
import { createReceipts, openEvidence } from '../../../../src/rates/receipts/receipts.js';
import { loadSnapshot, type Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { openRawStore } from '../../../../src/rates/sources/raw-store.js';
import { ownDatabase } from '../../../core/support.js';
import { METHOD, storeRows } from '../../../support/rates.js';
import { lookUpsOf, reader, rowsOf } from '../sources/in-memory.js';

const clock = () => new Date('2026-03-20T12:00:00Z');
const database = await ownDatabase();
let snapshot: Snapshot;

beforeAll(async () => {
  const rows = [
    ...['BOC 2026-02-17 USD/CHF 0.8', 'NBU 2026-02-18 USD/CHF 0.8', 'ECB 2026-03-04 EUR/CHF 0.9'],
    ...['ECB 2026-03-04 EUR/USD 1.1', 'ECB 2026-03-18 EUR/USD 1.2', 'ECB 2026-03-18 EUR/JPY 180'],
    ...['ECB 2026-03-19 EUR/USD 1.25', 'ECB 2026-03-20 EUR/JPY 181', 'BOC 2026-03-17 USD/CAD 1.35'],
    ...['BOC 2026-03-18 USD/CAD 1.36', 'BOC 2026-03-18 JPY/CAD 0.00911'],
    ...['BOC 2026-03-19 JPY/CAD 0.00901', 'IMF 2026-03-19 USD/JPY 151', 'NBU 2026-03-19 USD/JPY 149'],
    // The pound is not published on the newest day, from which its ages are counted for what is pegged to it.
    ...['FRED 2026-03-19 USD/JPY 185', 'FRED 2026-03-10 GBP/USD 1.35', 'NBU 2026-03-16 GBP/USD 1.28'],
    ...['HMRC 2026-03-01 GBP/USD 1.3', 'HMRC 2026-03-15 GBP/JPY 200'],
  ];
  await storeRows(database, rowsOf(rows));
  await database.pool.query(`
    insert into run_responses (run, number, url, fetched_at, sha256, bytes)
      select 7, number, 'https://bank.test/' || number, '2026-03-19T13:59:00.125Z', sha256('rates'), number
      from generate_series(0, 24) as number;
    update rates set run = 7 where provider = 'IMF'; update rates set run = 8 where provider = 'NBU'`);
  snapshot = await inOneView(database, loadSnapshot);
});

interface Asked {
  date?: string;
  providers?: string[] | undefined;
  /** What is changed about the rate that was found. */
  times?: number;
  later?: number;
}

async function receiptOf(pair: string, { date = '2026-03-20', providers, times = 1, later = 0 }: Asked = {}) {
  const [base = '', quote = ''] = pair.split('/');
  const store = openRawStore(database);
  const read = vi.spyOn(store, 'read');
  const since = vi.spyOn(store, 'since');
  const asked = dayNumber(date);
  const context = { raw: store, snapshot, tomorrow: todayNumber(clock) + 1 };
  const lookUps = await lookUpsOf(context, { providers, days: daysToPick(onOrBefore(asked)) });
  const found = lookUps.find(base, quote, onOrBefore(asked));
  if (!found) throw new Error(`no rate of ${pair}`);
  for (const spy of [read, since]) spy.mockClear();
  const source = providers ? `providers=${providers.join()}&` : '';
  const asOf = new Date(snapshot.knownAt).toISOString();
  const receipt = await createReceipts({ raw: store, database })(
    {
      snapshot,
      providers,
      base,
      quote,
      asked,
      columns: lookUps.columnsFor(base),
      found: { day: found.day + later, rate: found.rate * times },
      url: `/v2/rate/${pair}?${source}date=${date}&as_of=${asOf}&expand=receipt`,
    },
    reader,
  );
  // What rows without an earlier one of their pair were judged by is read after them.
  const [newest] = since.mock.calls.map(([, day]) => ({ since: day }));
  return { found, receipt, firstRead: newest ?? read.mock.calls[0]?.[1] };
}

/** `JPY ECB EUR/JPY 20 bridge`, in the order of the receipt. */
function inputsIn({ inputs }: Receipt): string[] {
  return inputs.map((input) => {
    const part = input.bridge ? 'bridge' : (input.left_out ?? `weight ${input.weight}`);
    return `${input.for} ${input.provider} ${input.base}/${input.quote} ${input.date.slice(-2)} ${part}`;
  });
}

describe('a receipt', () => {
  const OF_ALL = 'EUR/USD USD/EUR EUR/JPY JPY/CAD USD/USD EUR/EUR EUR/XOF XOF/JPY AED/JPY GBP/FKP FKP/GBP';
  it.each([
    ...`${OF_ALL} FKP/JPY`.split(' '),
    ...['EUR/USD of ECB', 'JPY/USD of ECB', 'EUR/EUR of ECB', 'USD/JPY of BOC', 'EUR/JPY of BOC,ECB'],
    ...['USD/JPY of FRED,IMF,NBU', 'GBP/USD of HMRC', 'USD/JPY of HMRC'],
  ])('of %s proves the rate', async (asked) => {
    const [pair = '', keys] = asked.split(' of ');
    const { found, receipt } = await receiptOf(pair, { providers: keys?.split(',') });
    const { ratio } = receipt.steps;
    expect(Math.abs(ratio.rate / found.rate - 1)).toBeLessThan(1e-12);
    expect(dayNumber(ratio.date)).toBe(found.day);
    expect(`${ratio.base.currency}/${ratio.quote.currency}`).toBe(pair);
    expect(verify(JSON.stringify(receipt))).toMatchObject({ rate: ratio.rate });
    expect(receipt).toMatchObject({
      method: Number(METHOD),
      known_at: new Date(snapshot.knownAt).toISOString(),
    });
  });

  it('of a blend has the rows behind both currencies, each in its part, in order', async () => {
    const { receipt } = await receiptOf('EUR/JPY');
    expect(inputsIn(receipt)).toEqual([
      ...['EUR ECB EUR/USD 19 weight 1', 'JPY BOC JPY/CAD 19 weight 1', 'JPY BOC USD/CAD 18 bridge'],
      ...['JPY ECB EUR/JPY 18 weight 1', 'JPY ECB EUR/USD 19 bridge', 'JPY FRED USD/JPY 19 outlier'],
      ...['JPY IMF USD/JPY 19 weight 1', 'JPY NBU USD/JPY 19 weight 1'],
    ]);
    // The newest day on which both have a rate: the yen alone has one on the next.
    const { base, quote, date } = receipt.steps.ratio;
    expect([base.date, quote.date, date]).toEqual(['2026-03-19', '2026-03-19', '2026-03-19']);
  });

  const EARLY = { date: '2026-03-18' };
  const END_OF_HMRC = { date: '2026-03-31', providers: ['HMRC'] };
  const AGED = `CHF NBU USD/CHF 18 weight ${Math.exp(-5.5)}`;
  it.each<[pair: string, asked: Asked, inputs: string]>([
    // The rows of the fourteen days up to the rate, or those of the period of official rates.
    ['USD/CHF', EARLY, `CHF ECB EUR/CHF 04 weight 1, CHF ECB EUR/USD 04 bridge, ${AGED}`],
    ['EUR/CHF', { ...EARLY, providers: ['ECB'] }, 'CHF ECB EUR/CHF 04 weight 1'],
    ['USD/JPY', END_OF_HMRC, 'JPY HMRC GBP/JPY 15 weight 1, USD HMRC GBP/USD 01 weight 1'],
  ])('of %s, %j, has its rows', async (pair, asked, inputs) => {
    expect(inputsIn((await receiptOf(pair, asked)).receipt).join(', ')).toBe(inputs);
  });

  const LAST = dayNumber('2026-03-20');
  const OLD = dayNumber('2026-02-17');
  const OF_DAY = { from: OLD - 28, to: OLD, isRecordWanted: true };
  const OWN = { from: LAST - 14, to: LAST, providers: ['ECB'], isRecordWanted: true };
  it.each<[pair: string, asked: Asked, read?: object]>([
    // It is made from the newest rows, which are kept, or from the rows of its days.
    ['EUR/JPY', {}, { since: LAST - 42 }],
    ['EUR/JPY', { providers: ['ECB', 'IMF'] }, { since: LAST - 42 }],
    // The rows of one source are all its own, blended or not.
    ['EUR/JPY', { providers: ['ECB'] }, { ...OWN, currencies: ['EUR', 'JPY'] }],
    ['USD/CHF', { date: '2026-02-17' }, { ...OF_DAY, currencies: ['CHF', 'USD'] }],
    ['USD/USD', {}],
  ])('of %s, %j, is read from as few rows as it needs', async (pair, asked, read) => {
    expect((await receiptOf(pair, asked)).firstRead).toEqual(read);
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

  it.each([[undefined], [['ECB']], [['BOC', 'ECB']]])(
    'is not of another rate or day (%s)',
    async (providers) => {
      const wrong = /^the rows do not make the rate of EUR\/JPY of 2026-03-(19|2\d): \d/;
      await receiptOf('EUR/JPY', { providers, times: 1 + 1e-13 });
      for (const other of [{ times: 1 + 1e-11 }, { times: 1 - 1e-11 }, { later: 1 }])
        await expect(receiptOf('EUR/JPY', { providers, ...other })).rejects.toThrow(wrong);
    },
  );
});

describe('the evidence of a row', () => {
  const AT = new Date('2026-03-20T14:00:00.000Z');
  const record = (run: number, url: string) =>
    database.pool.query(
      `insert into run_responses (run, number, url, fetched_at, sha256, bytes)
         values ($1, 0, $2, '2026-03-20T13:59:00.125Z', sha256('rates'), 5)`,
      [run, url],
    );
  const forget = (run: number) => database.pool.query('delete from run_responses where run = $1', [run]);

  const urlsOf = async (
    evidenceFor: ReturnType<typeof openEvidence>,
    rows: Parameters<typeof evidenceFor>[0],
  ) => {
    const of = await evidenceFor(rows);
    return rows.map(
      (row) =>
        of(row)
          ?.map(({ url }) => url)
          .join() ?? null,
    );
  };

  it('is read once for a run, and null where none is known', async () => {
    await record(17, 'https://bank.test/seven');
    const evidenceFor = openEvidence(database);
    const rows = [17, 18, null].map((run) => ({ run, recordedAt: AT }));
    expect(await urlsOf(evidenceFor, rows)).toEqual(['https://bank.test/seven', null, null]);
    await forget(17);
    expect(await urlsOf(evidenceFor, rows)).toEqual(['https://bank.test/seven', null, null]);
    expect(await urlsOf(openEvidence(database), rows)).toEqual([null, null, null]);
  });

  it('is that of the restored run where a backup has another one of the same number', async () => {
    await record(19, 'https://bank.test/first');
    const evidenceFor = openEvidence(database);
    const rows = [AT, new Date(AT.getTime() + 1)].map((recordedAt) => ({ run: 19, recordedAt }));
    await evidenceFor(rows.slice(0, 1));
    await forget(19);
    await record(19, 'https://bank.test/restored');
    expect(await urlsOf(evidenceFor, rows)).toEqual([
      'https://bank.test/first',
      'https://bank.test/restored',
    ]);
  });
});
