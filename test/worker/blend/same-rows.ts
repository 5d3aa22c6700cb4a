import fc from 'fast-check';
import { afterAll, expect } from 'vitest';
import { digestBlends } from '../../../core/database/rates.js';
import { readSuspects } from '../../../core/database/suspects.js';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { addDays } from '../../../core/domain/dates.js';
import { seededRandom } from '../../../tools/random.js';
import { applyDecision } from '../../../worker/blend/decisions.js';
import { rebuild } from '../../../worker/blend/reblend.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { HEADER, importLines } from '../import/support.js';
import { emptyTables, readRows, storeIn } from '../ingest/support.js';
import { openReceipts } from './support.js';

const FIRST = '2022-01-03';
const PROVIDERS = ['BOC', 'ECB', 'FRED', 'IMF', 'NB', 'RBA'];

/** Imports lines of CSV, however far ahead their days are. */
export const importAll = (database: TestDatabase, lines: readonly string[]) =>
  importLines(database, [HEADER, ...lines], '2030-01-01');

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
export const history = fc.array(day, { minLength: 3, maxLength: 14 }).map((days) => {
  const rows: RawRow[] = [];
  const levels = { EGP: 30, LBP: 1500 };
  let date = FIRST;
  for (const { gap, moves, tables } of days) {
    date = addDays(date, gap);
    levels.EGP *= moves[0];
    levels.LBP *= moves[1];
    tables.forEach(({ pair, faults }, index) => {
      const row = (base: string, quote: string, rate: number) =>
        rows.push({ provider: PROVIDERS[index] ?? '', date, base, quote, rate: Number(rate.toPrecision(6)) });
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

const lineOf = (row: RawRow) => Object.values(row).join();
export const importInto = (database: TestDatabase, rows: readonly RawRow[]) =>
  importAll(database, rows.map(lineOf));

/** Stores writes in portions of random sizes: one provider's by the path of ingests, others by that of imports. */
async function storeInPortions(database: TestDatabase, writes: readonly Write[], random: () => number) {
  for (let start = 0; start < writes.length; ) {
    const end = start + 1 + Math.floor(random() ** 3 * 12);
    const portion = new Map<string, RawRow>();
    // A portion has one rate of a pair and day.
    for (const { row } of writes.slice(start, end)) {
      const key = `${row.provider} ${row.date} ${row.base} ${row.quote}`;
      if (portion.has(key)) break;
      portion.set(key, row);
    }
    start += portion.size;
    const rows = [...portion.values()];
    const [first] = rows;
    if (first && rows.every(({ provider }) => provider === first.provider))
      await storeIn(database, first.provider, ...rows);
    else await importInto(database, rows);
  }
}

/** What follows from the rows: blends, and which rates are or were held back, with what they were judged by. */
export async function derived(database: TestDatabase) {
  const { periods } = await digestBlends(database);
  const { rows } = await database.pool.query(
    `select provider, date::text, base, quote, rate, reason, expected, others, evidence, status, confirmed_on::text,
       confirmed_by
     from suspects join rates using (provider, date, base, quote, rate)
     where status <> 'corrected' and (status <> 'confirmed' or confirmed_by is not null)
     order by provider, date, base, quote`,
  );
  const { rows: blends } = await database.pool.query(
    'select date::text, quote, rate from blended_days order by date, quote',
  );
  const read = (table: string) => readRows(database, `select * from ${table} order by 1, 2, 3`);
  const covered = [await read('pair_coverage'), await read('currencies')];
  return { suspects: rows, blends, periods, covered, questions: await questionsOf(database) };
}

/** The questions that operators decide on, without when they were found, and where. */
async function questionsOf(database: TestDatabase) {
  const listed = (await readSuspects(database, {}, 10_000)).filter(({ status }) => status !== 'corrected');
  const named = listed.map(({ id: _, suspectedAt: __, resolvedAt: ___, isShipped: ____, ...question }) => {
    const { provider, date, base, quote, rate } = question;
    return { name: [date, provider, base, quote, rate].join(), ...question };
  });
  return named.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The receipts of the rates of some days, without the instants at which the rows were recorded. */
async function receipts(database: TestDatabase): Promise<unknown[]> {
  const { snapshot, receiptOf } = await openReceipts(database);
  const found: unknown[] = [];
  for (const day of [...snapshot.days.days].filter((_, index) => index % 3 === 0).slice(-5))
    for (const pair of ['USD/EGP', 'EUR/LBP']) {
      const [base = '', quote = ''] = pair.split('/');
      const { inputs = [], steps } = (await receiptOf(base, quote, day))?.receipt ?? {};
      found.push({ inputs: inputs.map((one) => ({ ...one, recorded_at: '', sha256: '' })), steps });
    }
  return found;
}

/** Accepts or rejects one of the questions that both databases ask, whatever became of it. */
async function decide(databases: readonly [TestDatabase, TestDatabase], random: () => number): Promise<void> {
  const { questions } = await derived(databases[0]);
  const one = questions[Math.floor(random() * questions.length)];
  if (!one) return;
  const status = random() < 0.5 ? 'accepted' : 'rejected';
  const { provider, date, base, quote, rate } = one;
  const where = `where (provider, date, base, quote, rate) = ($1, $2, $3, $4, $5)`;
  for (const database of databases) {
    const text = `select id::text from suspects ${where}`;
    const { rows } = await database.pool.query(text, [provider, date, base, quote, rate]);
    await applyDecision(database, { suspect: rows[0].id, status, operator: 'a test', act: '0' });
  }
}

/** Rows that were once blended otherwise: a rate that comes to be held back was carried to a day on which nobody gives its currency. */
const CARRIED = `
BOC,2022-01-05,USD,EGP,3.06
BOC,2022-01-05,USD,LBP,1470
ECB,2022-01-06,EUR,USD,11
ECB,2022-01-06,EUR,EGP,3.29674
BOC,2022-01-16,USD,EGP,2.99481
BOC,2022-01-16,USD,LBP,1479.13
ECB,2022-01-16,EUR,USD,1.1168
ECB,2022-01-16,EUR,EGP,3.25542
ECB,2022-01-16,EUR,LBP,1646.75
BOC,2022-01-21,USD,EGP,3.03851
BOC,2022-01-21,USD,LBP,15000
BOC,2022-01-23,USD,EGP,4.2
BOC,2022-01-23,USD,LBP,1519.29`;

function rowOf(line: string): RawRow {
  const [provider = '', date = '', base = '', quote = '', rate] = line.split(',');
  return { provider, date, base, quote, rate: Number(rate) };
}

/** Two databases, empty at the beginning of each run of the property. */
export async function openPair() {
  const pair: [TestDatabase, TestDatabase] = [await testDatabase(), await testDatabase()];
  afterAll(() => Promise.all(pair.map((database) => database.close())));
  const [whole, stepwise] = pair;
  return { whole, stepwise, clear: () => Promise.all(pair.map(emptyTables)) };
}

/** Tries that the same rows and decisions make the same blends, suspects and receipts, in whatever order they come. */
export async function assertSameRows(runs: { numRuns: number }): Promise<void> {
  const { whole, stepwise, clear } = await openPair();
  const expectSame = async () => expect(await derived(stepwise)).toEqual(await derived(whole));
  await fc.assert(
    fc
      .asyncProperty(history, fc.string(), async (rows, seed) => {
        const random = seededRandom(seed);
        for (const isLate of [false, true]) {
          const part = rows.filter((_, index) => (index % 7 === 3) === isLate);
          if (part.length > 0) await importInto(whole, part);
          await storeInPortions(stepwise, writesOf(part, random), random);
          await expectSame();
          expect(await receipts(stepwise)).toEqual(await receipts(whole));
          await decide([whole, stepwise], random);
          await expectSame();
        }
        expect(await receipts(stepwise)).toEqual(await receipts(whole));
        expect(await rebuild(stepwise)).toBeUndefined();
        await expectSame();
      })
      .beforeEach(clear),
    // Each step takes a while: a failure is reported with its seed and not made smaller.
    { ...runs, examples: [[CARRIED.trim().split('\n').map(rowOf), '4']], endOnFailure: true },
  );
}
