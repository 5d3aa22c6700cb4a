import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { PAST } from '../../../../src/http/representation.js';
import { METHOD } from '../../../support/rates.js';
import { openRoutes } from '../routes/in-process.js';

type Row = { date: string; base: string; quote: string; rate: number | null };

const at = (days: number) => fromDayNumber(dayNumber('2026-03-20') + days);
const FIRST = '2026-03-20T09:00:00Z';
const SECOND = '2026-03-23T09:00:00Z';
const INSTANT = '2026-03-20T12:00:00Z';
const NOW = '2026-03-23T12:00:00Z';

const THEN = [
  ...[`ECB ${at(-400)} EUR/USD 1.01`, `ECB ${at(-62)} EUR/USD 1.05`, `ECB ${at(-62)} EUR/GBP 0.81`],
  ...[`BOC ${at(-44)} USD/JPY 150`, `ECB ${at(-35)} EUR/USD 1.1`, `BOC ${at(-30)} USD/JPY 151`],
  ...[`ECB ${at(-21)} EUR/USD 1.2`, `ECB ${at(-20)} EUR/GBP 0.83`, `BOC ${at(-8)} USD/JPY 152`],
  ...[`NBU ${at(-8)} USD/UAH 41`, `ECB ${at(-7)} EUR/USD 1.3`, `ECB ${at(-2)} EUR/USD 1.4`],
  `HMRC ${at(-19)} GBP/USD 1.3`,
];
const corrected = (day: number, text: string, by: string) =>
  THEN.map((row) => row.replace(`${at(day)} ${text}`, `${at(day)} ${by}`));

/** What came to be known after the instant. */
const LATER: Record<string, string[]> = {
  nothing: THEN,
  'a correction': corrected(-21, 'EUR/USD 1.2', 'EUR/USD 1.25'),
  'a correction of the newest day': corrected(-2, 'EUR/USD 1.4', 'EUR/USD 1.5'),
  'a row that is gone': THEN.filter((row) => !row.includes(`${at(-20)} EUR/GBP`)),
  'another row of an old day': [...THEN, `BOC ${at(-35)} USD/CHF 0.9`],
  'further days': [...THEN, `ECB ${at(2)} EUR/USD 1.6`, `ECB ${at(3)} EUR/GBP 0.85`],
  'an amended official rate': [...THEN, `HMRC ${at(-5)} GBP/USD 1.35`],
};
const TARGETS = [
  ...['', 'quotes=USD,GBP&base=EUR', `quotes=GBP,UAH,USD&date=${at(-7)}`, `date=${at(-30)}&base=USD`],
  ...[`quotes=USD,GBP,JPY&from=${at(-30)}`, `quotes=USD,GBP,JPY&from=${at(-21)}&to=${at(-21)}`],
  ...[`quotes=USD,GBP,JPY&base=UAH&from=${at(-40)}`, `quotes=USD,GBP,JPY&from=${at(-12)}&fill=forward`],
  `quotes=USD,GBP&from=${at(-25)}&to=${at(-3)}&fill=forward&fill_days=3`,
  `quotes=USD,GBP,JPY&from=${at(-19)}&group=week`,
  `quotes=USD,GBP,JPY&from=${at(-19)}&to=${at(-8)}&group=month&expand=stats`,
  ...[`quotes=USD,GBP,JPY&from=${at(-100)}&group=quarter`, `quotes=USD,GBP,JPY&from=${at(-410)}&group=year`],
  ...[`quotes=USD,GBP,JPY&from=${at(-40)}&group=range`, 'expand=providers&quotes=USD,GBP'],
  ...[`expand=providers&quotes=USD,GBP&from=${at(-40)}`, 'providers=ECB', `providers=ECB&from=${at(-40)}`],
  ...[`providers=ECB,BOC&quotes=JPY,GBP&from=${at(-40)}`, 'providers=HMRC&base=GBP'],
  `providers=HMRC&base=GBP&from=${at(-40)}`,
].map((query) => `/v2/rates?${query}`);

const recordedThen = { at: FIRST, rows: THEN };
const then = openRoutes({ recorded: [recordedThen], now: INSTANT });
const open = (rows: string[]) => openRoutes({ recorded: [recordedThen, { at: SECOND, rows }], now: NOW });
const worlds = Object.entries(LATER).map(([name, rows]) => [name, open(rows)] as const);
const further = worlds.find(([name]) => name === 'further days')?.[1] ?? then;

/** The rows that are not among those of before, and those of before that are gone. */
function difference(now: Row[], before: Row[], isRange: boolean): Row[] {
  const key = ({ date, quote }: Row) => (isRange ? `${date} ${quote}` : quote);
  const old = new Map(before.map((row) => [key(row), row]));
  const keys = new Set(now.map(key));
  const changed = now.filter((row) => JSON.stringify(old.get(key(row))) !== JSON.stringify(row));
  const gone = before.filter((row) => !keys.has(key(row)));
  return [...changed, ...gone.map(({ date, base, quote }) => ({ date, base, quote, rate: null }))].sort(
    (one, other) => (one.date + one.quote < other.date + other.quote ? -1 : 1),
  );
}

describe('rows that changed after an instant', () => {
  it.each(worlds)('are those that differ from what was known then, after %s', async (name, whole) => {
    let changed = 0;
    for (const target of TARGETS) {
      const [now, before] = [await whole.json<Row[]>(target), await then.json<Row[]>(target)];
      const expected = difference(now, before, target.includes('from='));
      expect([target, await whole.json(`${target}&updated_after=${INSTANT}`)]).toEqual([target, expected]);
      if (expected.length > 0) changed++;
    }
    // Days that had not come yet are the only news of a range without an end. Else there are more, or the comparison
    // would show little.
    if (name === 'nothing') expect(changed).toBeLessThan(5);
    else expect(changed).toBeGreaterThan(name === 'an amended official rate' ? 0 : 1);
  });

  it('may be those up to a second instant', async () => {
    const target = `/v2/rates?quotes=USD,GBP&from=${at(-10)}`;
    const asOf = '2026-03-21T12:00:00Z';
    expect(await further.json(`${target}&updated_after=${INSTANT}&as_of=${asOf}`)).toEqual([]);
    const until = await further.json(`${target}&updated_after=${INSTANT}&as_of=${SECOND}`);
    expect(until).toEqual(await further.json(`${target}&updated_after=${INSTANT}`));
    expect(until).not.toEqual([]);
  });

  it('are read of the store only as far as they are not in memory', async () => {
    const target = `/v2/rates?quotes=USD&from=${at(-10)}&updated_after=${INSTANT}`;
    const rows = await further.json(target);
    further.reads.length = 0;
    expect(await further.json(target)).toEqual(rows);
    expect(further.reads).toEqual([]);
  });

  it('are looked for only on the days to which a change can reach', async () => {
    const each = open([...THEN, `BOC ${at(-200)} USD/CHF 0.9`]);
    const target = `/v2/rates?providers=ECB,BOC&from=${at(-400)}&to=${at(-3)}`;
    const found = await each.json<Row[]>(`${target}&updated_after=${INSTANT}`);
    expect(found).toEqual(difference(await each.json(target), await then.json(target), true));
    each.reads.length = 0;
    await each.json(`${target}&updated_after=${INSTANT}`);
    // A portion of now and one of then, of the seven that the range has.
    const first = dayNumber(at(-200)) - 42;
    expect(each.reads.flatMap((read) => ('from' in read ? [read.from] : []))).toEqual([first, first]);
  });

  it('are counted on the days that had come', async () => {
    // Nothing is recorded between the two instants, but a day has come.
    const target = `/v2/rates?quotes=USD&from=${at(0)}&fill=forward`;
    expect(await then.json<Row[]>(`${target}&updated_after=${FIRST}`)).toEqual([]);
    const [, same] = worlds[0] ?? ['', then];
    const dates = (await same.json<Row[]>(`${target}&updated_after=${INSTANT}`)).map(({ date }) => date);
    expect(dates).toEqual([at(1), at(2), at(3)]);
  });
});

describe('the reply with them', () => {
  const target = `/v2/rates?quotes=USD&from=${at(-10)}`;
  const after = `&updated_after=${INSTANT}`;
  const newest = new Date(SECOND).toISOString();

  it('names the instant to ask for next', async () => {
    const now = await further.ask(target + after);
    expect(now.headers).toEqual({ 'x-known-at': newest });
    expect(now).toMatchObject({
      cacheControl: 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
      vary: ['accept'],
    });
    // It must not be kept for others: what is new to one is not to another.
    expect(now.dataVersion).toBeUndefined();
    const past = await further.ask(`${target}${after}&as_of=2026-03-21T00:00:00Z`);
    expect(past.headers).toEqual({ 'x-known-at': new Date(FIRST).toISOString(), 'x-blend-method': METHOD });
    expect(past.cacheControl).toBe(PAST);
  });

  it('has the format of its request', async () => {
    const csv = target.replace('rates', 'rates.csv') + after;
    const lines = `${at(2)},EUR,USD,1.6\n`;
    const text = `date,base,quote,rate\n${lines}`;
    expect(await further.ask(csv)).toMatchObject({ type: 'text/csv; charset=utf-8', text, isStream: false });
    expect((await further.ask(`${csv}&header=off`)).text).toBe(lines);
  });
});
