import { beforeEach, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { openRoutes, type Read, type Routes } from '../routes/in-process.js';

const TODAY = '2026-03-20';
const today = dayNumber(TODAY);
const at = (days: number) => fromDayNumber(today + days);
const open = (rows: string[]) =>
  openRoutes({ recorded: [{ at: `${TODAY}T09:00:00Z`, rows }], now: `${TODAY}T12:00:00Z` });

let routes: Routes;
let empty: Routes;
// They keep what was read for the newest rates.
beforeEach(() => {
  routes = open([
    ...[`ECB ${at(-200)} EUR/USD 1.1`, `BOC ${at(-190)} USD/CAD 1.4`, `ECB ${at(-100)} EUR/USD 1.2`],
    ...[`ECB ${at(-10)} EUR/USD 1.3`, `BOC ${at(-3)} USD/CAD 1.5`, `NBU ${at(1)} USD/UAH 41`],
    ...[`NBU ${at(3)} USD/UAH 42`, `HMRC 2026-03-01 GBP/USD 1.3`, `BCEAO ${at(-10)} USD/XOF 504`],
  ]);
  empty = open([]);
});

/** A read in short, with days counted from today: `-45..11 of BOC,ECB for CAD,EUR`. */
function shown(read: Read): string {
  if ('provider' in read) return read.provider;
  if ('span' in read) return `span of ${read.span}`;
  if ('since' in read) return `since ${read.since - today}`;
  const { from = Number.NaN, to = Number.NaN, providers, currencies, ...others } = read;
  expect(others).toEqual({});
  const days = `${from - today}..${to - today}`;
  return `${days}${providers ? ` of ${providers}` : ''}${currencies ? ` for ${currencies}` : ''}`;
}

async function readsFor(target: string): Promise<string[]> {
  routes.reads.length = 0;
  await routes.json(target);
  return routes.reads.map(shown);
}

/** Some days with their positions from today: `{-20}` is the date of twenty days ago. */
const dated = (text: string) => text.replace(/\{(-?\d+)\}/g, (_, days) => at(Number(days)));

describe('what is read for rows', () => {
  const ALL = 'expand=providers';
  const SOME = 'providers=ECB,BOC';
  const USD = 'for USD,EUR';
  const PORTIONS = `-214..-200 ${USD}; -114..-100 ${USD}; -24..-10 ${USD}`;
  const SUMS = '-178..-45 of BOC,ECB; -58..11 of BOC,ECB';
  it.each([
    // Of one provider, all of its rates.
    ['providers=ECB', 'ECB'],
    // With the sources of the newest, the days that rows are looked for on, and those carried to them.
    [ALL, 'since -41'],
    // Of a day, those that are carried to the days of its rates, and only of the currencies.
    [`${ALL}&date={-3}`, '-24..-10'],
    [`${ALL}&date={-3}&quotes=USD`, `-24..-10 ${USD}`],
    // Of some providers also all days that a rate may be carried from or followed on.
    [`${SOME}&date={-3}&quotes=CAD`, 'span of BOC,ECB; -45..11 of BOC,ECB'],
    [SOME, 'span of BOC,ECB; -45..11 of BOC,ECB'],
    // Nothing where there can be no rows.
    [`${ALL}&from={-900}&to={-800}`, ''],
    [`${ALL}&from={30}&to={40}`, ''],
    [`${ALL}&from={-99}&to={-98}`, ''],
    [`${ALL}&date={-3}&quotes=CAD`, ''],
    [`${ALL}&from={-100}&to={-100}`, '-114..-100'],
    ['providers=IMF,RBA', 'span of IMF,RBA'],
    ['providers=IMF,RBA&from={-20}', 'span of IMF,RBA'],
    ['providers=IMF,RBA&from={-20}&group=year', 'span of IMF,RBA'],
    // Of a range, portions of days, from the first on that has any, until the newest.
    [`${ALL}&quotes=USD&from={-900}&to={900}`, PORTIONS],
    // Of a range that is filled, as many days more.
    [`${SOME}&from={-20}&to={20}`, 'span of BOC,ECB; -48..11 of BOC,ECB'],
    [`${SOME}&from={-20}&to={20}&fill=forward&fill_days=5`, 'span of BOC,ECB; -53..11 of BOC,ECB'],
    // Of whole periods, whole periods: the first day is a Monday, and the last the Sunday of the week in which 62 days end.
    [`${SOME}&from={-92}&to={-11}&group=week`, 'span of BOC,ECB; -123..-19 of BOC,ECB; -60..11 of BOC,ECB'],
    // Of long periods, portions too, of which only sums are kept.
    [`${SOME}&from={-150}&to={-1}&group=range`, `span of BOC,ECB; ${SUMS}`],
  ])('%s', async (query, reads) => {
    expect((await readsFor(`/v2/rates?${dated(query)}`)).join('; ')).toBe(reads);
  });

  it('of the newest is kept for the next request', async () => {
    await readsFor('/v2/rates?expand=providers');
    expect(await readsFor('/v2/rates?expand=quality&base=USD')).toEqual([]);
  });

  it('is nothing in a store without rows', async () => {
    for (const group of ['', '&group=week', '&group=year', '&group=range'])
      expect(await empty.json(`/v2/rates?expand=providers&from=${at(-20)}${group}`)).toEqual([]);
    expect(empty.reads).toEqual([]);
  });

  it.each([
    // Nothing in the blend of all, and in that of some 14 days, each with those carried to it.
    ['', []],
    ['&providers=ECB,NBU&date={-5}', ['span of ECB,NBU', '-47..1 of ECB,NBU']],
    ['&providers=ECB,NBU', ['span of ECB,NBU', '-41..1 of ECB,NBU']],
    // Nothing before the first day of any of them.
    ['&providers=ECB,NBU&date={-195}', ['span of ECB,NBU', '-214..-181 of ECB,NBU']],
  ])('or the rate of a pair: %s', async (rest, reads) => {
    expect(await readsFor(`/v2/convert/EUR/USD?amount=1${dated(rest)}`)).toEqual(reads);
  });
});

describe('rows', () => {
  it('of long periods have no sources where they are pegged, which they are in the blend of all', async () => {
    const francs = `/v2/rates?${dated('quotes=XOF&expand=providers&from={-50}&group=year')}`;
    const [pegged] = await routes.json<object[]>(francs);
    expect(pegged).not.toHaveProperty('providers');
    expect(await routes.json(`${francs}&providers=BCEAO,ECB`)).toMatchObject([
      { providers: [{ key: 'BCEAO' }] },
    ]);
  });

  it('that are valid for a period are those of today without a day, which is up to when they were looked for', async () => {
    const asOf = async (query: string, each = routes) =>
      (await each.ask(`/v2/rates?providers=HMRC&base=GBP${query}`)).headers['x-rates-as-of'];
    expect([await asOf(''), await asOf('', empty)]).toEqual([TODAY, undefined]);
    const day = '&date=2026-03-05';
    expect([await asOf(day), await asOf(day, empty)]).toEqual(['2026-03-05', undefined]);
    expect(await asOf('&from=2026-03-05')).toBeUndefined();
    const list = await routes.json('/v2/rates?quotes=USD&providers=HMRC&base=GBP&expand=quality');
    expect(list).toMatchObject([{ date: '2026-03-01', rate: 1.3, quality: { sources: 1, age_days: 19 } }]);
  });
});
