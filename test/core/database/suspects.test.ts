import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProviderActivity } from '../../../core/database/provider-activity.js';
import {
  type LastBelieved,
  lastBelievedBefore,
  nextDayWith,
  readSuspects,
  waitingBefore,
} from '../../../core/database/suspects.js';
import { inOneView } from '../../../core/database/transactions.js';
import { eachDay } from '../../../core/domain/dates.js';
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
  const waiting = async (except: string[] = [], day = DAY) =>
    inOneView(database, (view) => waitingBefore(view, day, { judgedFrom: day, except }));

  it('is its newest rate that is not held back then', async () => {
    const believed = (code: string) => (JUDGED[code]?.held ? '2026-02-01 1' : '2026-02-02 2');
    expect(await last()).toEqual({
      ...Object.fromEntries(CODES.map((code) => [code, believed(code)])),
      RST: '2026-02-02 2',
    });
    expect(await last({}, DAY, '2026-03-02')).toMatchObject({ AAA: `${DAY} 3`, EEE: `${DAY} 3` });
    expect(await last({}, DAY, '2026-02-01')).toEqual({});
    expect(await last({}, '2026-03-02')).toMatchObject({ EEE: '2026-02-02 2', GGG: '2026-02-01 1' });
  });

  it('is told of some pairs, or of all but some', async () => {
    const some = ['FRED EUR AAA', 'FRED EUR DDD'];
    expect(Object.keys(await last({ only: some }))).toEqual(['AAA', 'DDD']);
    expect(Object.keys(await last({ except: some })).sort()).toEqual(
      [...CODES, 'RST'].filter((code) => code !== 'AAA' && code !== 'DDD'),
    );
  });

  it('is which suspects may still be confirmed or gone back to: ten of a pair, in the order of their days', async () => {
    const found = await waiting();
    const isWaiting = (code: string) => heldCodes.includes(code) && JUDGED[code]?.status !== 'rejected';
    const others = found.filter(({ quote }) => quote !== 'OLD').map(({ quote }) => quote);
    expect(others.sort()).toEqual(CODES.filter(isWaiting));
    const old = found.filter(({ quote }) => quote === 'OLD').map(({ date }) => date);
    expect(old).toEqual([...eachDay('2026-02-03', '2026-02-12')]);
    expect((await waiting(['FRED EUR OLD'])).map(({ quote }) => quote).sort()).toEqual(others);
    expect((await waiting(['FRED EUR OLD'], '2026-02-02')).length).toBe(0);
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
