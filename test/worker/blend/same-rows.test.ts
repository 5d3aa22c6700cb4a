import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEventLoop } from '../../../core/concurrency/event-loop.js';
import { digestBlends } from '../../../core/database/digest.js';
import { lockData } from '../../../core/database/locks.js';
import { resolveSuspect } from '../../../core/database/suspects.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays, fromDayNumber } from '../../../core/domain/dates.js';
import { verify } from '../../../core/domain/receipt/verify.js';
import { createReceipts } from '../../../src/rates/receipts/receipts.js';
import { daysToPick, onOrBefore } from '../../../src/rates/snapshot/day-pick.js';
import { loadSnapshot } from '../../../src/rates/snapshot/snapshot.js';
import { openRawStore } from '../../../src/rates/sources/raw-store.js';
import { seededRandom } from '../../../tools/feeds-damage/random.js';
import { groupBy } from '../../../tools/truth/group-by.js';
import { blendChanged } from '../../../worker/blend/blend-changed.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { importRates } from '../../../worker/import/import.js';
import { storeAndBlend } from '../../../worker/ingest/store.js';
import { lookUpsOf, reader } from '../../src/rates/sources/in-memory.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { firstRatesFrom } from '../../support/service.js';

const TODAY = '2030-01-01';
const FIRST = '2022-01-03';
const PROVIDERS = ['BOC', 'ECB', 'FRED', 'IMF', 'NB', 'RBA'];

let whole: TestDatabase;
let stepwise: TestDatabase;
beforeAll(async () => {
  [whole, stepwise] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(() => Promise.all([whole, stepwise].map((database) => database.close())));

const EMPTY = `truncate rates, rate_revisions, currencies, pair_coverage, providers, ingest_runs, blended_days,
  blended_weeks, blended_months, data_versions, suspects, suspect_states`;
const clear = () => Promise.all([whole, stepwise].map(({ pool }) => pool.query(EMPTY)));

/** What a source may make of a figure. */
const fault = fc.oneof(
  { weight: 12, arbitrary: fc.double({ min: 0.98, max: 1.02, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(10, 0.1, 100, 1000, 0.05, 1.4, 0.7, 1.15) },
);

/** What a currency does from one day to the next. */
const move = fc.oneof(
  { weight: 8, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constantFrom(1.4, 0.75, 1.1, 10, 0.1) },
);
const gap = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 7, max: 31 }) },
  { weight: 1, arbitrary: fc.integer({ min: 32, max: 400 }) },
);

const day = fc.record({
  gap,
  moves: fc.tuple(move, move),
  /** By provider: whether it publishes, the pair that it gives, and its faults. */
  tables: fc.array(fc.record({ pair: fc.nat({ max: 7 }), faults: fc.tuple(fault, fault, fault) }), {
    minLength: 0,
    maxLength: PROVIDERS.length,
  }),
});

/** A history of one to six sources, with gaps, moves and errors. */
const history = fc.array(day, { minLength: 3, maxLength: 14 }).map((days) => {
  const rows: RawRow[] = [];
  const levels = { EGP: 30, LBP: 1500 };
  let date = FIRST;
  for (const { gap, moves, tables } of days) {
    date = addDays(date, gap);
    levels.EGP *= moves[0];
    levels.LBP *= moves[1];
    tables.forEach(({ pair, faults }, index) => {
      const provider = PROVIDERS[index] ?? '';
      const row = (base: string, quote: string, rate: number) =>
        rows.push({ provider, date, base, quote, rate: Number(rate.toPrecision(6)) });
      // On some days nobody gives a currency, and other days give nothing but another one.
      if (pair > 5) {
        row('USD', pair > 6 ? 'CAD' : 'GMD', (pair > 6 ? 1.3 : 50) * faults[0]);
        return;
      }
      // Some quote against the euro, some give the dollar in their own currency.
      if (index % 3 === 1) {
        row('EUR', 'USD', 1.1 * faults[0]);
        if (pair !== 1) row('EUR', 'EGP', 1.1 * levels.EGP * faults[1]);
        if (pair > 2) row('EUR', 'LBP', 1.1 * levels.LBP * faults[2]);
      } else if (index % 3 === 2) {
        row('USD', 'EGP', levels.EGP * faults[0]);
        if (pair > 2) row('LBP', 'EGP', (levels.EGP / levels.LBP) * faults[1]);
      } else {
        if (pair !== 1) row('USD', 'EGP', levels.EGP * faults[0]);
        if (pair > 1) row('USD', 'LBP', levels.LBP * faults[1]);
      }
    });
  }
  return rows;
});

interface Write {
  row: RawRow;
  at: number;
}

/** The rows as they are written: some wrong at first, in any order but that a correction comes after what it corrects. */
function writesOf(rows: readonly RawRow[], random: () => number): Write[] {
  return rows
    .flatMap((row): Write[] => {
      const at = random();
      if (random() > 0.2) return [{ row, at }];
      const wrong = { ...row, rate: row.rate * (random() < 0.5 ? 10 : 1.3) };
      const first = { row: wrong, at: at * random() };
      // A correction that is taken back, and made again.
      return random() < 0.3 ? [{ row, at: first.at * 0.5 }, first, { row, at }] : [first, { row, at }];
    })
    .sort((one, other) => one.at - other.at);
}

const csvOf = (rows: readonly RawRow[]) =>
  ['provider,date,base,quote,rate', ...rows.map((row) => Object.values(row).join()), ''].join('\n');

async function importInto(database: TestDatabase, rows: readonly RawRow[]): Promise<void> {
  async function* file() {
    yield csvOf(rows);
  }
  await importRates(database, file(), { today: TODAY });
}

/** Stores writes in portions of random sizes: one provider's by the path of ingests, others by that of imports. */
async function storeInPortions(database: TestDatabase, writes: readonly Write[], random: () => number) {
  for (let start = 0; start < writes.length; ) {
    const end = start + 1 + Math.floor(random() ** 3 * 12);
    const portion = new Map<string, RawRow>();
    let at = start;
    for (; at < Math.min(end, writes.length); at++) {
      const row = writes[at]?.row;
      if (!row) break;
      const { provider, date, base, quote } = row;
      const key = `${provider} ${date} ${base} ${quote}`;
      if (portion.has(key)) break;
      portion.set(key, row);
    }
    start = at;
    const rows = [...portion.values()];
    const [first] = rows;
    if (first && rows.every(({ provider }) => provider === first.provider))
      await inTransaction(database, (transaction) => storeAndBlend(transaction, first.provider, rows));
    else await importInto(database, rows);
  }
}

/** What follows from the rows: blends, and which rates are or were held back, with what they were judged by. */
async function derived(database: TestDatabase) {
  const { tables } = await digestBlends(database);
  const { rows } = await database.pool.query(
    `select provider, date::text, base, quote, rate, reason, expected, others, evidence, status, confirmed_on::text,
       confirmed_by, refuted_on::text
     from suspects join rates using (provider, date, base, quote, rate)
     where status <> 'corrected' and (status <> 'confirmed' or confirmed_by is not null)
     order by provider, date, base, quote`,
  );
  const { rows: blends } = await database.pool.query(
    'select date::text, quote, rate from blended_days order by date, quote',
  );
  return { suspects: rows, blends, tables };
}

/** The receipts of the rates of some days, without what tells when the rows were recorded. Each proves its rate. */
async function receipts(database: TestDatabase): Promise<unknown[]> {
  const raw = openRawStore(database, createEventLoop());
  const snapshot = await inOneView(database, loadSnapshot);
  const make = createReceipts({ raw, database });
  const days = [...snapshot.days.days].filter((_, index) => index % 3 === 0).slice(-5);
  const found: unknown[] = [];
  for (const day of days) {
    const days = daysToPick(onOrBefore(day));
    const ground = { raw, snapshot, tomorrow: day + 1 };
    const lookUps = await lookUpsOf(ground, { providers: undefined, days });
    for (const [base, quote] of [
      ['USD', 'EGP'],
      ['EUR', 'LBP'],
    ] as const) {
      const rate = lookUps.find(base, quote, onOrBefore(day));
      if (!rate) continue;
      const columns = lookUps.columnsFor(base);
      const asOf = new Date(snapshot.knownAt).toISOString();
      const url = `/v2/rate/${base}/${quote}?date=${fromDayNumber(day)}&as_of=${asOf}&expand=receipt`;
      const asked = { snapshot, providers: undefined, base, quote, asked: day, columns, found: rate, url };
      const receipt = await make(asked, reader);
      expect(verify(JSON.stringify(receipt))).toMatchObject({ base, quote });
      const { inputs, steps } = receipt;
      found.push({ inputs: inputs.map((one) => ({ ...one, recorded_at: '', sha256: '' })), steps });
    }
  }
  return found;
}

/** Accepts or rejects one of the rates that both databases hold back. */
async function decide(databases: readonly TestDatabase[], random: () => number): Promise<void> {
  const { suspects } = await derived(whole);
  const held = suspects.filter(({ status }) => status === 'held');
  const one = held[Math.floor(random() * held.length)];
  if (!one) return;
  const status = random() < 0.5 ? 'accepted' : 'rejected';
  for (const database of databases) {
    const { rows } = await database.pool.query(
      `select id::text from suspects
       where provider = $1 and date = $2 and base = $3 and quote = $4 and rate = $5`,
      [one.provider, one.date, one.base, one.quote, one.rate],
    );
    await inTransaction(database, async (transaction) => {
      await lockData(transaction);
      const decided = await resolveSuspect(transaction, rows[0].id, status, 'a test');
      if (decided) await blendChanged(transaction, { dates: [decided.date], providers: [decided.provider] });
    });
  }
}

/** What was once blended otherwise: rows and the seed of their order. */
const EXAMPLES: [RawRow[], string][] = [
  // A rate that comes to be held back was carried to a later day on which nobody gives its currency.
  [
    [
      { provider: 'BOC', date: '2022-01-05', base: 'USD', quote: 'EGP', rate: 3.06 },
      { provider: 'BOC', date: '2022-01-05', base: 'USD', quote: 'LBP', rate: 1470 },
      { provider: 'ECB', date: '2022-01-06', base: 'EUR', quote: 'USD', rate: 11 },
      { provider: 'ECB', date: '2022-01-06', base: 'EUR', quote: 'EGP', rate: 3.29674 },
      { provider: 'BOC', date: '2022-01-16', base: 'USD', quote: 'EGP', rate: 2.99481 },
      { provider: 'BOC', date: '2022-01-16', base: 'USD', quote: 'LBP', rate: 1479.13 },
      { provider: 'ECB', date: '2022-01-16', base: 'EUR', quote: 'USD', rate: 1.1168 },
      { provider: 'ECB', date: '2022-01-16', base: 'EUR', quote: 'EGP', rate: 3.25542 },
      { provider: 'ECB', date: '2022-01-16', base: 'EUR', quote: 'LBP', rate: 1646.75 },
      { provider: 'BOC', date: '2022-01-21', base: 'USD', quote: 'EGP', rate: 3.03851 },
      { provider: 'BOC', date: '2022-01-21', base: 'USD', quote: 'LBP', rate: 15000 },
      { provider: 'BOC', date: '2022-01-23', base: 'USD', quote: 'EGP', rate: 4.2 },
      { provider: 'BOC', date: '2022-01-23', base: 'USD', quote: 'LBP', rate: 1519.29 },
    ],
    '4',
  ],
];

it('the same rows and decisions make the same blends and suspects, in whatever order they come', async () => {
  await fc.assert(
    fc
      .asyncProperty(history, fc.string(), async (rows, seed) => {
        const random = seededRandom(seed);
        const [early, late] = [rows, rows].map((all, part) =>
          all.filter((_, index) => Number(index % 7 === 3) === part),
        ) as [RawRow[], RawRow[]];
        for (const part of [early, late]) {
          if (part.length > 0) await importInto(whole, part);
          await storeInPortions(stepwise, writesOf(part, random), random);
          expect(await derived(stepwise)).toEqual(await derived(whole));
          expect(await receipts(stepwise)).toEqual(await receipts(whole));
          await decide([whole, stepwise], random);
          expect(await derived(stepwise)).toEqual(await derived(whole));
        }
        expect(await receipts(stepwise)).toEqual(await receipts(whole));
        expect(await rebuild(stepwise)).toBeUndefined();
        expect(await derived(stepwise)).toEqual(await derived(whole));
      })
      .beforeEach(clear),
    // Each step takes a while: a failure is told with its seed and not made smaller.
    { ...propertyRuns(300), examples: EXAMPLES, endOnFailure: true },
  );
}, 600_000);

describe('the first rates that ship', () => {
  const parts = <T>(all: readonly T[], count: number): T[][] =>
    Array.from({ length: count }, (_, part) =>
      all.filter((_, index) => Math.floor((index * count) / all.length) === part),
    );
  let lines: string[];
  let expected: Awaited<ReturnType<typeof derived>>;
  const importParts = async (database: TestDatabase, all: readonly (readonly string[])[]) => {
    for (const part of all) {
      async function* file() {
        yield ['provider,date,base,quote,rate', ...part, ''].join('\n');
      }
      await importRates(database, file(), { today: TODAY });
    }
  };
  beforeAll(async () => {
    await clear();
    const [, ...rows] = gunzipSync(await firstRatesFrom('2026-01-01'))
      .toString()
      .trim()
      .split('\n');
    lines = rows.sort((one, other) => ((one.split(',')[1] ?? '') < (other.split(',')[1] ?? '') ? -1 : 1));
    await importParts(whole, [lines]);
    expected = await derived(whole);
  });
  afterEach(() => stepwise.pool.query(EMPTY));

  it.each([
    ['by days, forwards', (all: readonly string[]) => parts(all, 6)],
    ['by days, backwards', (all: readonly string[]) => parts(all, 6).toReversed()],
    [
      'provider by provider',
      (all: readonly string[]) => [...groupBy(all, (line) => line.split(',')[0] ?? '').values()],
    ],
  ])('give the same in parts %s', async (_, order) => {
    await importParts(stepwise, order(lines));
    const found = await derived(stepwise);
    expect(found.tables).toEqual(expected.tables);
    expect(found.suspects).toEqual(expected.suspects);
    expect(await rebuild(stepwise)).toBeUndefined();
  });
});
