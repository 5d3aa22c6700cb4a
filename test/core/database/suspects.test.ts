import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockData } from '../../../core/database/locks.js';
import { readProviderActivity } from '../../../core/database/provider-activity.js';
import {
  type JudgedSuspect,
  type LastBelieved,
  lastBelievedBefore,
  nextDayWith,
  readLeftOut,
  readSuspects,
  suspectsBetween,
  waitingBefore,
  writeSuspects,
} from '../../../core/database/suspects.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { dayNumber, eachDay } from '../../../core/domain/dates.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

interface Judged {
  status?: string | undefined;
  confirmed?: string | undefined;
  refuted?: string | undefined;
}

/** Stores rates of a pair of the euro by their days. */
async function store(provider: string, quote: string, rates: Record<string, number>) {
  const days = Object.keys(rates);
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate)
     select $1, date, 'EUR', $2, rate from unnest($3::date[], $4::float8[]) as given (date, rate)`,
    [provider, quote, days, Object.values(rates)],
  );
  await database.pool.query(
    `insert into pair_coverage (provider, base, quote, start_date, end_date)
     select $1, 'EUR', $2, min(date), max(date) from unnest($3::date[]) as date`,
    [provider, quote, days],
  );
}

async function suspect(
  provider: string,
  quote: string,
  date: string,
  rate: number,
  { status = 'held', confirmed, refuted }: Judged = {},
) {
  await database.pool.query(
    `insert into suspects
       (provider, date, base, quote, rate, reason, expected, others, status, confirmed_on, refuted_on)
     values ($1, $2, 'EUR', $3, $4, 'jump', 1, 1, $5::suspect_status, $6, $7)`,
    [provider, date, quote, rate, status, confirmed, refuted],
  );
}

const STATUSES = ['held', 'rejected', 'held', 'accepted', 'confirmed', 'corrected', 'held'];

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(`insert into providers (key) values ('ECB'), ('BOC'), ('FRED')`);
  for (const [index, status] of STATUSES.entries()) {
    await database.pool.query(
      `with suspect as (
         insert into suspects (provider, date, base, quote, rate, reason, expected, others, status)
         values ($1, $2, 'EUR', 'USD', 10, 'jump', 1, 1, $3::suspect_status) returning id
       )
       insert into suspect_states (suspect, since, status) select id, now(), 'held' from suspect`,
      [index === 6 ? 'BOC' : 'ECB', `2026-03-1${index}`, status],
    );
  }
});
afterAll(() => database.close());

it('suspects are listed page by page, the last that were found first, each once', async () => {
  const pageBefore = (before?: string) => readSuspects(database, { providers: ['ECB'], before }, 4);
  const first = await pageBefore();
  expect(first.map(({ date }) => date)).toEqual(['2026-03-15', '2026-03-14', '2026-03-13', '2026-03-12']);
  const second = await pageBefore(first.at(-1)?.id);
  expect(second.map(({ date }) => date)).toEqual(['2026-03-11', '2026-03-10']);
  expect(await pageBefore(second.at(-1)?.id)).toEqual([]);
});

it('what is left out is held or rejected: of all providers or of some, on all days or from one to another', async () => {
  const [tenth, last] = [dayNumber('2026-03-10'), dayNumber('2026-03-16')];
  const of = (selection: Parameters<typeof readLeftOut>[1]) =>
    inOneView(database, (view) => readLeftOut(view, selection));
  const daysOf = async (selection: Parameters<typeof readLeftOut>[1]) =>
    (await of(selection)).map(({ day }) => day - tenth).sort((one, other) => one - other);
  expect(await daysOf({})).toEqual([0, 1, 2, 6]);
  expect(await daysOf({ providers: ['ECB'] })).toEqual([0, 1, 2]);
  expect(await daysOf({ providers: ['BOC', 'FRED'] })).toEqual([6]);
  expect(await daysOf({ providers: [] })).toEqual([]);
  expect(await daysOf({ from: tenth + 1, to: last - 1 })).toEqual([1, 2]);
  const pair = { base: 'EUR', quote: 'USD', rate: 10, reason: 'jump' };
  expect(await of({ from: last })).toEqual([{ provider: 'BOC', day: last, ...pair }]);
});

it('only those that are held count as held back in the activity of a provider', async () => {
  const activity = await readProviderActivity(database, '2026-01-01');
  expect(activity.get('ECB')?.heldSuspects).toBe(2);
  expect(activity.get('BOC')?.heldSuspects).toBe(1);
});

describe('what is known of a pair before a day', () => {
  const DAY = '2026-03-01';
  /** Pairs whose rate of 2 February, after one of the first, was a suspect: as what it is now. */
  const JUDGED: Record<string, { status: string; confirmed?: string; refuted?: string; held: boolean }> = {
    AAA: { status: 'held', held: true },
    BBB: { status: 'rejected', confirmed: '2026-02-10', held: true },
    CCC: { status: 'accepted', held: false },
    DDD: { status: 'confirmed', confirmed: '2026-02-28', held: false },
    EEE: { status: 'confirmed', confirmed: DAY, held: true },
    FFF: { status: 'held', confirmed: '2026-02-10', refuted: '2026-02-28', held: true },
    GGG: { status: 'held', confirmed: '2026-02-10', refuted: DAY, held: false },
  };
  const CODES = Object.keys(JUDGED);
  const heldCodes = CODES.filter((code) => JUDGED[code]?.held);

  beforeAll(async () => {
    for (const [quote, { status, confirmed, refuted }] of Object.entries(JUDGED)) {
      await store('FRED', quote, { '2026-02-01': 1, '2026-02-02': 2, [DAY]: 3 });
      await suspect('FRED', quote, '2026-02-02', 2, { status, confirmed, refuted });
    }
    // Restated since: 9 was doubted, and not what came instead.
    await store('FRED', 'RST', { '2026-02-01': 1, '2026-02-02': 2 });
    await suspect('FRED', 'RST', '2026-02-02', 9);
    // As high on the day before, when it was doubted, and in a pair that only has its quote, or its provider's.
    await store('FRED', 'SAM', { '2026-02-01': 2, '2026-02-02': 2 });
    await suspect('FRED', 'SAM', '2026-02-01', 2);
    await database.pool.query(
      `insert into suspects (provider, date, base, quote, rate, reason, expected, others, status)
       values ('BOC', '2026-02-02', 'EUR', 'SAM', 2, 'jump', 1, 1, 'held'),
         ('FRED', '2026-02-02', 'GBP', 'SAM', 2, 'jump', 1, 1, 'held')`,
    );
    const days = [...eachDay('2026-02-01', '2026-02-12')];
    await store('FRED', 'OLD', Object.fromEntries(days.map((day) => [day, 1])));
    for (const day of days.toReversed()) await suspect('FRED', 'OLD', day, 1);
  });

  const last = async (options: Omit<LastBelieved, 'judgedFrom'> = {}, judgedFrom = DAY, day = DAY) =>
    Object.fromEntries(
      (await inOneView(database, (view) => lastBelievedBefore(view, day, { judgedFrom, ...options }))).map(
        ({ quote, date, rate }) => [quote, `${date} ${rate}`],
      ),
    );
  const waiting = async (except: string[] = [], day = DAY, judgedFrom = day) =>
    inOneView(database, (view) => waitingBefore(view, day, { judgedFrom, except }));

  it('is its newest rate that is not held back then', async () => {
    const believed = (code: string) => (JUDGED[code]?.held ? '2026-02-01 1' : '2026-02-02 2');
    expect(await last()).toEqual({
      ...Object.fromEntries(CODES.map((code) => [code, believed(code)])),
      RST: '2026-02-02 2',
      SAM: '2026-02-02 2',
    });
    expect(await last({}, DAY, '2026-03-02')).toMatchObject({ AAA: `${DAY} 3`, EEE: `${DAY} 3` });
    expect(await last({}, DAY, '2026-02-01')).toEqual({});
    expect(await last({}, '2026-03-02')).toMatchObject({ EEE: '2026-02-02 2', GGG: '2026-02-01 1' });
  });

  it('is told of some pairs, or of all but some', async () => {
    const some = ['FRED EUR AAA', 'FRED EUR DDD'];
    expect(Object.keys(await last({ only: some }))).toEqual(['AAA', 'DDD']);
    expect(Object.keys(await last({ except: some })).sort()).toEqual(
      [...CODES, 'RST', 'SAM'].filter((code) => code !== 'AAA' && code !== 'DDD'),
    );
  });

  it('is which suspects may still be confirmed or gone back to: ten of a pair, in the order of their days', async () => {
    const found = await waiting();
    const isWaiting = (code: string) => heldCodes.includes(code) && JUDGED[code]?.status !== 'rejected';
    const others = found.filter(({ quote }) => quote !== 'OLD').map(({ quote }) => quote);
    expect(others.sort()).toEqual([...CODES.filter(isWaiting), 'SAM']);
    const old = found.filter(({ quote }) => quote === 'OLD').map(({ date }) => date);
    expect(old).toEqual([...eachDay('2026-02-03', '2026-02-12')]);
    expect((await waiting(['FRED EUR OLD'])).map(({ quote }) => quote).sort()).toEqual(others);
    expect((await waiting(['FRED EUR OLD'], '2026-02-02')).map(({ quote }) => quote)).toEqual(['SAM']);
  });

  it('is also which suspects were confirmed from that day on, though they are not held back any more', async () => {
    const since = async (day: string) =>
      (await waiting(['FRED EUR OLD', 'FRED EUR SAM'], day, '2026-03-05')).map(({ quote }) => quote).sort();
    expect(await since('2026-02-28')).toEqual(['AAA', 'DDD', 'EEE', 'FFF', 'GGG']);
    expect(await since(DAY)).toEqual(['AAA', 'EEE', 'FFF', 'GGG']);
  });

  it('is when it, or a pair of a currency, has its next rate', async () => {
    const next = (day: string, pairs: string[], currencies: string[] = []) =>
      inOneView(database, (view) => nextDayWith(view, day, { pairs, currencies }));
    const old = ['FRED EUR OLD'];
    expect(await next('2026-02-01', old)).toBe('2026-02-02');
    expect(await next('2026-02-12', old)).toBeUndefined();
    expect(await next('2026-02-02', [...old, 'FRED EUR AAA'])).toBe('2026-02-03');
    expect(await next('2026-02-02', ['FRED EUR AAA'])).toBe(DAY);
    expect(await next('2026-02-02', [], ['AAA'])).toBe(DAY);
    expect(await next('2026-02-02', [], ['EUR'])).toBe('2026-02-03');
    expect(await next('2026-02-02', [], ['USD'])).toBeUndefined();
  });
});

it('what is judged again is written over what was known, and when it was resolved is kept', async () => {
  const known = {
    ...{
      provider: 'BOC',
      date: '2026-04-01',
      base: 'USD',
      quote: 'CAD',
      rate: 13,
      reason: 'jump',
      expected: 1.3,
    },
    ...{ others: 1, evidence: {}, status: 'held', confirmedOn: null, confirmedBy: null, refutedOn: null },
  } as const satisfies JudgedSuspect;
  const write = async (judged: JudgedSuspect, isChanged: boolean) => {
    await inTransaction(database, async (transaction) => {
      await lockData(transaction);
      await writeSuspects(transaction, [{ ...judged, isChanged }]);
    });
    const [stored] = await inTransaction(database, (transaction) =>
      suspectsBetween(transaction, { from: known.date, to: known.date }),
    );
    const [listed] = await readSuspects(database, { providers: ['BOC'], from: known.date }, 1);
    expect(stored).toEqual(judged);
    return listed;
  };
  const held = await write(known, true);
  expect(held?.resolvedAt).toBeNull();
  const confirmed = {
    ...known,
    status: 'confirmed',
    confirmedOn: '2026-04-02',
    confirmedBy: 'next',
  } as const;
  const first = await write(confirmed, true);
  expect(first?.resolvedAt?.getTime()).toBeGreaterThan(held?.suspectedAt.getTime() ?? Infinity);
  const others = [{ provider: 'ECB', date: '2026-04-02', rate: 1.31 }];
  const again = await write(
    {
      ...confirmed,
      reason: 'apart',
      expected: 1.31,
      others: 2,
      evidence: { others },
      refutedOn: '2026-04-03',
    },
    false,
  );
  expect([again?.id, again?.suspectedAt, again?.resolvedAt]).toEqual([
    held?.id,
    held?.suspectedAt,
    first?.resolvedAt,
  ]);
  const states = await database.pool.query(
    `select since, status::text from suspect_states where suspect = $1 order by since`,
    [held?.id],
  );
  expect(states.rows).toEqual([
    { since: held?.suspectedAt, status: 'held' },
    { since: first?.resolvedAt, status: 'confirmed' },
  ]);
});
