import { beforeEach, describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { sourceOn } from '../../../../src/rates/engine/knowledge.js';
import type { ResolvedRequest } from '../../../../src/rates/engine/request.js';
import { openRoutes, type Read, type Routes } from '../routes/in-process.js';
import { collected, reader, requestOf, row, snapshotOf, storeOf } from '../sources/in-memory.js';

const TODAY = '2026-03-20';
const today = dayNumber(TODAY);
const at = (days: number) => fromDayNumber(today + days);
const ROWS = [
  `ECB ${at(-200)} EUR/USD 1.1`,
  `BOC ${at(-190)} USD/CAD 1.4`,
  `ECB ${at(-100)} EUR/USD 1.2`,
  `ECB ${at(-10)} EUR/USD 1.3`,
  `BOC ${at(-3)} USD/CAD 1.5`,
  `NBU ${at(1)} USD/UAH 41`,
  `NBU ${at(3)} USD/UAH 42`,
  `HMRC 2026-03-01 GBP/USD 1.3`,
  `BCEAO ${at(-10)} USD/XOF 504`,
];
const open = (rows: string[]) =>
  openRoutes({ recorded: [{ at: `${TODAY}T09:00:00Z`, rows }], now: `${TODAY}T12:00:00Z` });

let routes: Routes;
let empty: Routes;
// They keep what was read for the newest rates.
beforeEach(() => {
  routes = open(ROWS);
  empty = open([]);
});

/** What was read for a request, with days counted from today. */
async function readsFor(query: string): Promise<object[]> {
  routes.reads.length = 0;
  routes.cached.clear();
  await routes.json(`/v2/rates?${query}`);
  const fromToday = (day: number | undefined) => (day === undefined ? {} : day - today);
  return routes.reads.map((read: Read) => {
    if ('provider' in read || 'span' in read) return read;
    if ('since' in read) return { since: fromToday(read.since) };
    const { from, to, isPatient, ...rest } = read;
    return { from: fromToday(from), to: fromToday(to), ...rest, ...(isPatient && { isPatient }) };
  });
}

describe('what is read for rows', () => {
  it('of one provider are all of its rates', async () => {
    for (const query of ['providers=ECB', `providers=ECB&from=${at(-200)}&group=year&expand=providers`]) {
      expect(new Set((await readsFor(query)).map((read) => JSON.stringify(read)))).toEqual(
        new Set(['{"provider":"ECB"}']),
      );
    }
  });

  it('with the sources of the newest are the days that these and their base are carried from', async () => {
    expect(await readsFor('expand=providers')).toEqual([{ since: 1 - 42 }]);
    // They are kept for the next request.
    expect(await readsFor('expand=quality&base=USD')).toEqual([]);
  });

  it('of a day are 28 days before it, and only of the currencies or the providers', async () => {
    expect(await readsFor(`expand=providers&date=${at(-3)}`)).toEqual([{ from: -3 - 42, to: -3 }]);
    expect(await readsFor(`expand=providers&date=${at(-3)}&quotes=CAD`)).toEqual([
      { from: -3 - 42, to: -3, currencies: ['CAD', 'EUR'] },
    ]);
    expect(await readsFor(`providers=ECB,BOC&date=${at(-3)}&quotes=CAD`)).toEqual([
      { span: ['BOC', 'ECB'] },
      { from: -3 - 42, to: -3, providers: ['BOC', 'ECB'] },
    ]);
    expect(await readsFor('providers=ECB,BOC')).toEqual([
      { span: ['BOC', 'ECB'] },
      { from: -3 - 42, to: -3, providers: ['BOC', 'ECB'] },
    ]);
  });

  it('is nothing where there can be no rows', async () => {
    expect(await readsFor(`expand=providers&from=${at(-900)}&to=${at(-800)}`)).toEqual([]);
    expect(await readsFor(`expand=providers&from=${at(30)}&to=${at(40)}`)).toEqual([]);
    expect(await readsFor(`expand=providers&from=${at(-100)}&to=${at(-100)}&quotes=`)).toHaveLength(1);
    expect(await readsFor(`expand=providers&from=${at(-99)}&to=${at(-98)}`)).toEqual([]);
    expect(await readsFor('providers=IMF,RBA')).toEqual([{ span: ['IMF', 'RBA'] }]);
    expect(await readsFor(`providers=IMF,RBA&from=${at(-20)}`)).toEqual([{ span: ['IMF', 'RBA'] }]);
    expect(await readsFor(`providers=IMF,RBA&from=${at(-20)}&group=year`)).toEqual([
      { span: ['IMF', 'RBA'] },
    ]);
    for (const query of ['', '&group=week', '&group=year', '&group=range']) {
      const target = `/v2/rates?expand=providers&from=${at(-20)}${query}`;
      expect(await empty.json(target)).toEqual([]);
    }
    expect(empty.reads).toEqual([]);
  });

  it('of a range are portions of days, from the first on that has any, until the newest', async () => {
    const reads = await readsFor(`expand=providers&quotes=USD&from=${at(-900)}&to=${at(900)}`);
    const currencies = ['USD', 'EUR'];
    expect(reads).toEqual([
      { from: -200 - 28, to: -200 + 61, currencies },
      // The response has begun: it waits for its turn as long as that takes.
      { from: -138 - 28, to: -138 + 61, currencies, isPatient: true },
      { from: -76 - 28, to: -76 + 61, currencies, isPatient: true },
      { from: -14 - 28, to: -14 + 61, currencies, isPatient: true },
    ]);
  });

  it('of a range that is filled are as many days more, before and behind', async () => {
    const ends = async (rest: string) =>
      (await readsFor(`providers=ECB,BOC&from=${at(-20)}&to=${at(20)}${rest}`)).slice(1);
    const providers = ['BOC', 'ECB'];
    expect(await ends('')).toEqual([{ from: -20 - 28, to: -20 + 61, providers }]);
    expect(await ends('&fill=forward&fill_days=5')).toEqual([{ from: -20 - 33, to: -20 + 61, providers }]);
  });

  it('of whole periods are whole periods', async () => {
    const [, ...reads] = await readsFor(`providers=ECB,BOC&from=${at(-12)}&to=${at(-11)}&group=week`);
    // The Sunday of the week in which 62 days end.
    expect(reads).toEqual([{ from: -18 - 28, to: 44, providers: ['BOC', 'ECB'] }]);
  });

  it('of long periods are portions too, of which only sums are kept', async () => {
    const [, ...reads] = await readsFor(`providers=ECB,BOC&from=${at(-150)}&to=${at(-1)}&group=range`);
    const providers = ['BOC', 'ECB'];
    expect(reads).toEqual([
      { from: -164 - 28, to: -164 + 61, providers },
      { from: -102 - 28, to: -102 + 61, providers, isPatient: true },
      { from: -40 - 28, to: -3, providers, isPatient: true },
    ]);
  });
});

describe('what is read for the rate of a pair', () => {
  const readsOf = async (rest: string) => {
    routes.reads.length = 0;
    await routes.json(`/v2/convert/EUR/USD?amount=1${rest}`);
    return routes.reads;
  };

  it('is nothing in the blend of all, and in that of some 28 days, each with those carried to it', async () => {
    expect(await readsOf('')).toEqual([]);
    const providers = ['ECB', 'NBU'];
    const [span, ...reads] = await readsOf(`&providers=ECB,NBU&date=${at(-5)}`);
    expect(span).toEqual({ span: providers });
    expect(reads).toEqual([{ providers, from: today - 5 - 28 - 14, to: today - 5, isPatient: undefined }]);
    expect((await readsOf('&providers=ECB,NBU')).slice(1)).toMatchObject([
      { from: today + 1 - 28 - 14, to: today + 1 },
    ]);
    // Nothing is read before the first day of any of them.
    expect((await readsOf(`&providers=ECB,NBU&date=${at(-195)}`)).slice(1)).toMatchObject([
      { from: today - 200 - 14, to: today - 195 },
    ]);
  });
});

describe('rows of long periods', () => {
  const rateOf = async (query: string) => {
    const rows = await routes.json<{ quote: string; date: string; rate: number; providers?: object[] }[]>(
      `/v2/rates?quotes=USD&${query}`,
    );
    return rows.map(({ date, rate, providers }) => [date, rate, ...(providers ?? [])]);
  };

  it('have the same means whether the blend is of all or of some, with their sources where wanted', async () => {
    const range = `from=${at(-150)}&to=${at(-1)}&group=range`;
    const mean = Number((2 / (1 / 1.2 + 1 / 1.3)).toPrecision(5));
    const source = { key: 'ECB', date: at(-150), rate: mean };
    expect(await rateOf(range)).toEqual([[at(-150), mean]]);
    expect(await rateOf(`${range}&providers=ECB,NBU`)).toEqual([[at(-150), mean]]);
    expect(await rateOf(`${range}&providers=ECB,NBU&expand=providers`)).toEqual([[at(-150), mean, source]]);
    expect(await rateOf(`${range}&expand=providers`)).toEqual([[at(-150), mean, source]]);
  });

  it('have no sources where they are pegged, which they are in the blend of all', async () => {
    const keys = async (rest: string) => {
      const [found] = await routes.json<{ providers?: { key: string }[] }[]>(
        `/v2/rates?quotes=XOF&expand=providers&from=${at(-50)}&group=year${rest}`,
      );
      return found?.providers?.map(({ key }) => key);
    };
    expect(await keys('')).toBeUndefined();
    expect(await keys('&providers=BCEAO,ECB')).toEqual(['BCEAO']);
  });

  it('are those that a range touches, whole', async () => {
    for (const rest of ['', '&providers=ECB,NBU', '&expand=quality', '&providers=ECB']) {
      const found = await rateOf(`from=${at(-50)}&to=${at(-30)}&group=year${rest}`);
      expect([rest, found.map(([date, rate]) => [date, rate])]).toEqual([rest, [['2026-01-01', 1.3]]]);
    }
  });
});

describe('rows with how sure they are', () => {
  it('count the age of their rates from the day that was asked for', async () => {
    const age = async (query: string) => {
      const [found] = await routes.json<{ quality: { age_days: number } }[]>(
        `/v2/rates?expand=quality&quotes=USD&base=EUR&providers=ECB,RBA${query}`,
      );
      return found?.quality.age_days;
    };
    expect(await age(`&date=${at(-3)}`)).toBe(7);
    expect(await age('')).toBe(0);
    expect(await age(`&from=${at(-10)}`)).toBe(0);
    const [newest] = await routes.json<{ date: string; quality: object }[]>(
      '/v2/rates?expand=quality&quotes=CAD&base=USD',
    );
    expect(newest).toMatchObject({ date: at(-3), quality: { age_days: 4 } });
  });
});

describe('rows that are valid for a period', () => {
  it('are those of today without a day, which is up to when they were looked for', async () => {
    const asOf = async (query: string, each = routes) =>
      (await each.ask(`/v2/rates?providers=HMRC&base=GBP${query}`)).headers['x-rates-as-of'];
    expect(await asOf('')).toBe(TODAY);
    expect(await asOf('&date=2026-03-05')).toBe('2026-03-05');
    expect(await asOf('&date=2026-03-05', empty)).toBe('2026-03-05');
    expect(await asOf('', empty)).toBeUndefined();
    expect(await asOf('&from=2026-03-05')).toBeUndefined();
    const list = await routes.json('/v2/rates?providers=HMRC&base=GBP&quotes=USD&expand=quality');
    expect(list).toMatchObject([{ date: '2026-03-01', rate: 1.3, quality: { sources: 1, age_days: 19 } }]);
  });
});

describe('making rows', () => {
  const rows = ROWS.map((text) => row(text));
  const ask = (
    providers: string[],
    expand: ResolvedRequest['expand'],
    yieldNow: () => undefined | Promise<never>,
  ) => {
    const range = { form: 'range', from: today - 300, to: today, period: 'day' } as const;
    const ground = {
      raw: storeOf(rows, { pivot: 'EUR' }),
      snapshot: snapshotOf(rows),
      tomorrow: today + 1,
    };
    const request = requestOf({ base: 'EUR', providers, expand, when: range });
    return sourceOn(ground, providers).rows(request, { ...reader, yieldNow });
  };

  it('lets others go first after each date', async () => {
    const steps: string[] = [];
    const found = await ask(['ECB'], ['providers'], () => {
      steps.push('yield');
      return undefined;
    });
    expect(steps).toEqual([]);
    expect(await collected(found.rows)).toHaveLength(3);
    expect(steps).toHaveLength(3);
  });

  it('ends with its first read where the client has left', async () => {
    const left = new Error('left');
    const found = await ask(['ECB', 'BOC'], [], () => Promise.reject(left));
    await expect(collected(found.rows)).rejects.toBe(left);
  });
});
