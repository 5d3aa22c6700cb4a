import { describe, expect, it } from 'vitest';
import { lockData } from '../../../core/database/locks.js';
import {
  type JudgedSuspect,
  type LastTrusted,
  lastTrustedBefore,
  nextDayWith,
  readLeftOut,
  readSuspects,
  suspectsBetween,
  waitingBefore,
  writeSuspects,
} from '../../../core/database/suspects.js';
import { inOneView, inTransaction } from '../../../core/database/transactions.js';
import { dayNumber, eachDay } from '../../../core/domain/dates.js';
import { ownDatabase, rowsOf } from '../support.js';

const database = await ownDatabase();
await database.pool.query(`insert into providers (key) values ('ECB'), ('BOC'), ('FRED')`);

type Judged = Partial<Record<'status' | 'confirmed', string | undefined>>;

/** Stores a suspect of `PROVIDER BASE/QUOTE DATE RATE`, and returns its id. */
async function suspect(given: string, { status = 'held', confirmed }: Judged = {}): Promise<unknown> {
  const [provider, pair = '', date, rate] = given.split(' ');
  const [[id] = []] = await rowsOf(
    database,
    `insert into suspects
       (provider, date, base, quote, rate, reason, expected, others, status, confirmed_on)
     values ($1, $2, $3, $4, $5, 'jump', 1, 1, $6::suspect_status, $7) returning id`,
    [provider, date, pair.slice(0, 3), pair.slice(4), rate, status, confirmed],
  );
  return id;
}

/** Stores a suspect that was held back when it was found. */
async function heldSuspect(given: string, judged?: Judged): Promise<void> {
  const id = await suspect(given, judged);
  await rowsOf(
    database,
    `insert into suspect_states (suspect, since, status, reason) values (${id}, now(), 'held', 'jump')`,
  );
}

/** Stores rates that FRED has of a pair of the euro by their days. */
async function store(quote: string, rates: Record<string, number>) {
  const days = Object.keys(rates);
  await database.pool.query(
    `insert into rates (provider, date, base, quote, rate)
     select 'FRED', date, 'EUR', $1, rate from unnest($2::date[], $3::float8[]) as given (date, rate)`,
    [quote, days, Object.values(rates)],
  );
  await database.pool.query(
    `insert into pair_coverage (provider, base, quote, start_date, end_date)
     select 'FRED', 'EUR', $1, min(date), max(date) from unnest($2::date[]) as date`,
    [quote, days],
  );
}

describe('suspects', async () => {
  const STATUSES = ['held', 'rejected', 'held', 'accepted', 'confirmed', 'corrected', 'held'];
  for (const [index, status] of STATUSES.entries()) {
    await heldSuspect(`${index === 6 ? 'BOC' : 'ECB'} EUR/USD 2026-03-1${index} 10`, { status });
  }
  const [tenth, last] = [dayNumber('2026-03-10'), dayNumber('2026-03-16')];
  const leftOut = (selection: Parameters<typeof readLeftOut>[1]) =>
    inOneView(database, (view) => readLeftOut(view, selection));

  it('are listed page by page, the last that were found first, each once', async () => {
    const pages: string[] = [];
    for (let before: string | undefined; pages.length < 3; ) {
      const page = await readSuspects(database, { providers: ['ECB'], before }, 4);
      before = page.at(-1)?.id;
      pages.push(page.map(({ date }) => date.slice(8)).join());
    }
    expect(pages).toEqual(['15,14,13,12', '11,10', '']);
  });

  it.each<[Parameters<typeof readLeftOut>[1], days: number[]]>([
    [{}, [0, 1, 2, 6]],
    [{ providers: ['ECB'] }, [0, 1, 2]],
    [{ providers: ['BOC', 'FRED'] }, [6]],
    [{ providers: [] }, []],
    [{ from: tenth + 1, to: last - 1 }, [1, 2]],
  ])('that are held or rejected are left out: of %j', async (selection, days) => {
    // Others of this file are of days before.
    const found = (await leftOut(selection)).map(({ day }) => day - tenth).filter((day) => day >= 0);
    expect(found.sort((one, other) => one - other)).toEqual(days);
  });

  it('that are left out have their rate and reason', async () => {
    const one = { provider: 'BOC', day: last, base: 'EUR', quote: 'USD', rate: 10, reason: 'jump' };
    expect(await leftOut({ from: last })).toEqual([one]);
  });
});

describe('what is known of a pair before a day', async () => {
  const DAY = '2026-03-01';
  /** Pairs whose rate of 2 February, after one of the first, was a suspect: as what it is now, and whether it is held back. */
  const JUDGED: Record<string, Judged & { held: boolean }> = {
    AAA: { status: 'held', held: true },
    BBB: { status: 'rejected', confirmed: '2026-02-10', held: true },
    CCC: { status: 'accepted', held: false },
    DDD: { status: 'confirmed', confirmed: '2026-02-28', held: false },
    EEE: { status: 'confirmed', confirmed: DAY, held: true },
  };
  const CODES = Object.keys(JUDGED);
  for (const [quote, judged] of Object.entries(JUDGED)) {
    await store(quote, { '2026-02-01': 1, '2026-02-02': 2, [DAY]: 3 });
    await suspect(`FRED EUR/${quote} 2026-02-02 2`, judged);
  }
  // Restated since: 9 was suspected, and not what came instead.
  await store('RST', { '2026-02-01': 1, '2026-02-02': 2 });
  await suspect('FRED EUR/RST 2026-02-02 9');
  // As high on the day before, when it was suspected, and in a pair that only has its quote, or its provider's.
  await store('SAM', { '2026-02-01': 2, '2026-02-02': 2 });
  for (const other of ['FRED EUR/SAM 2026-02-01 2', 'BOC EUR/SAM 2026-02-02 2', 'FRED GBP/SAM 2026-02-02 2'])
    await suspect(other);
  const days = [...eachDay('2026-02-01', '2026-02-12')];
  await store('OLD', Object.fromEntries(days.map((day) => [day, 1])));
  for (const day of days.toReversed()) await suspect(`FRED EUR/OLD ${day} 1`);

  const last = async (more: Omit<LastTrusted, 'judgedFrom'> = {}, judgedFrom = DAY, day = DAY) => {
    const found = await inOneView(database, (view) => lastTrustedBefore(view, day, { judgedFrom, ...more }));
    return Object.fromEntries(found.map(({ quote, date, rate }) => [quote, `${date} ${rate}`]));
  };
  const waiting = (except: string[] = [], day = DAY, judgedFrom = day) =>
    inOneView(database, (view) => waitingBefore(view, day, { judgedFrom, except }));
  const quotesOf = async (found: ReturnType<typeof waiting>) =>
    (await found).map(({ quote }) => quote).sort();

  it('is its newest rate that is not held back then', async () => {
    const newest = '2026-02-02 2';
    const trusted = CODES.map((code) => [code, JUDGED[code]?.held ? '2026-02-01 1' : newest]);
    expect(await last()).toEqual({ ...Object.fromEntries(trusted), RST: newest, SAM: newest });
    expect(await last({}, DAY, '2026-03-02')).toMatchObject({ AAA: `${DAY} 3`, EEE: `${DAY} 3` });
    expect(await last({}, DAY, '2026-02-01')).toEqual({});
    expect(await last({}, '2026-03-02')).toMatchObject({ EEE: newest });
  });

  it('is given of all pairs but some', async () => {
    const others = Object.keys(await last({ except: ['FRED EUR AAA', 'FRED EUR DDD'] })).sort();
    expect(others).toEqual(['BBB', 'CCC', 'EEE', 'RST', 'SAM']);
  });

  it('is which suspects may still be confirmed: ten of a pair, in the order of their days', async () => {
    const found = await waiting();
    const others = ['AAA', 'EEE', 'SAM'];
    expect(await quotesOf(Promise.resolve(found.filter(({ quote }) => quote !== 'OLD')))).toEqual(others);
    expect(found.filter(({ quote }) => quote === 'OLD').map(({ date }) => date)).toEqual(days.slice(2));
    expect(await quotesOf(waiting(['FRED EUR OLD']))).toEqual(others);
    expect(await quotesOf(waiting(['FRED EUR OLD'], '2026-02-02'))).toEqual(['SAM']);
  });

  it('is also which suspects were confirmed from then on, though their pairs were trusted since', async () => {
    const since = (day: string) =>
      quotesOf(
        waiting(
          CODES.map((code) => `FRED EUR ${code}`),
          DAY,
          day,
        ),
      );
    expect(await since('2026-02-28')).toEqual(expect.arrayContaining(['DDD', 'EEE']));
    expect(await since(DAY)).toEqual(expect.not.arrayContaining(['AAA', 'CCC', 'DDD']));
  });

  it.each<[day: string, pairs: string[], currencies: string[], next: string | undefined]>([
    ['2026-02-01', ['FRED EUR OLD'], [], '2026-02-02'],
    ['2026-02-12', ['FRED EUR OLD'], [], undefined],
    ['2026-02-02', ['FRED EUR OLD', 'FRED EUR AAA'], [], '2026-02-03'],
    ['2026-02-02', ['FRED EUR AAA'], [], DAY],
    ['2026-02-02', [], ['AAA'], DAY],
    ['2026-02-02', [], ['EUR'], '2026-02-03'],
    ['2026-02-02', [], ['USD'], undefined],
  ])('is when it has its next rate: after %s of %j, %j', async (day, pairs, currencies, next) => {
    expect(await inOneView(database, (view) => nextDayWith(view, day, { pairs, currencies }))).toBe(next);
  });
});

it('what is judged again is written over what was known, and when it was resolved is kept', async () => {
  const known = {
    ...{ provider: 'BOC', date: '2026-04-01', base: 'USD', quote: 'CAD', rate: 13 },
    ...{
      reason: 'jump',
      expected: 1.3,
      others: 1,
      evidence: {},
      status: 'held',
      confirmedOn: null,
      confirmedBy: null,
    },
  } as const satisfies JudgedSuspect;
  const write = async (judged: JudgedSuspect, isChanged: boolean) => {
    const [stored] = await inTransaction(database, async (transaction) => {
      await lockData(transaction);
      await writeSuspects(transaction, [{ ...judged, isChanged }]);
      return suspectsBetween(transaction, { from: known.date, to: known.date });
    });
    expect(stored).toEqual(judged);
    return (await readSuspects(database, { providers: ['BOC'], from: known.date }, 1))[0];
  };
  const held = await write(known, true);
  expect(held?.resolvedAt).toBeNull();
  const confirmation = { status: 'confirmed', confirmedOn: '2026-04-02', confirmedBy: 'next' } as const;
  const confirmed = { ...known, ...confirmation };
  const first = await write(confirmed, true);
  expect(first?.resolvedAt?.getTime()).toBeGreaterThan(held?.suspectedAt.getTime() ?? Infinity);
  const others = [{ provider: 'ECB', date: '2026-04-02', rate: 1.31 }];
  const found = { reason: 'apart' as const, expected: 1.31, others: 2, evidence: { others } };
  const again = await write({ ...confirmed, ...found }, false);
  const kept = [held?.id, held?.suspectedAt, first?.resolvedAt];
  expect([again?.id, again?.suspectedAt, again?.resolvedAt]).toEqual(kept);
  const states = 'select since, status::text from suspect_states where suspect = $1 order by since';
  expect(await rowsOf(database, states, [held?.id])).toEqual([
    [held?.suspectedAt, 'held'],
    [first?.resolvedAt, 'confirmed'],
  ]);
});

it('suspects are also listed page by page by their days, those of one day as they were found', async () => {
  for (const given of ['SEK 03', 'SEK 01', 'SEK 02', 'NOK 02'])
    await heldSuspect(`FRED EUR/${given.replace(' ', ' 2026-04-')} 10`);
  const filter = { providers: ['FRED'], from: '2026-04-01', byDay: true } as const;
  const first = await readSuspects(database, filter, 2);
  const second = await readSuspects(database, { ...filter, before: first.at(-1)?.id }, 3);
  const shown = [...first, ...second].map(({ quote, date }) => `${quote} ${date.slice(8)}`);
  expect(shown).toEqual(['SEK 03', 'NOK 02', 'SEK 02', 'SEK 01']);
});
