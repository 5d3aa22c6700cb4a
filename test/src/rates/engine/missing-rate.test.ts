import { describe, expect, it } from 'vitest';
import { openRoutes } from '../routes/in-process.js';

const AT = '2026-03-20T16:00:00Z';
const open = (rows: readonly string[]) =>
  openRoutes({ recorded: [{ at: AT, rows }], now: '2026-03-20T18:00:00Z' });
const routes = open([
  ...['ECB 2001-12-03 EUR/TRL 1330000', 'ECB 2001-12-03 EUR/USD 0.89', 'ECB 2001-12-28 EUR/TRL 1290000'],
  ...['ECB 2001-12-28 EUR/USD 0.88', 'ECB 2015-03-02 EUR/TRY 2.8', 'ECB 2015-03-02 EUR/USD 1.12'],
  ...['BOC 2026-03-20 USD/CAD 1.36', 'ECB 2026-03-20 EUR/TRY 44', 'ECB 2026-03-20 EUR/USD 1.15'],
  ...['ECB 2020-06-01 EUR/USD 1.11', 'ECB 2020-06-01 EUR/GBP 0.9', 'HMRC 2026-03-01 GBP/USD 1.3'],
]);
const messageAt = async (target: string) => (await routes.ask(target)).message;

const NEWEST = (date: string) => `the newest rate is from ${date}, and a rate counts for 14 days`;
const DAYS_ON = 'there is none in the 14 days from then on';
const DAYS_BEFORE = 'there is none in the 14 days up to then';

describe('a pair without a rate', () => {
  it.each([
    ['EUR/TRL', '', ': TRL has rates from 2001-12-03 until 2001-12-28'],
    ['EUR/TRL', 'date=2010-01-01&', ' on 2010-01-01: TRL has rates from 2001-12-03 until 2001-12-28'],
    ['EUR/TRL', 'date=2001-12-02&', ' on 2001-12-02: the first rate is from 2001-12-03'],
    // What the euro has replaced has no rates where the euro has none.
    ['DEM/USD', 'date=2010-01-01&', ` on 2010-01-01: ${NEWEST('2001-12-28')}`],
    ['EUR/DEM', 'date=2001-12-02&', ' on 2001-12-02: the first rate is from 2001-12-03'],
    ['EUR/TRY', 'date=2015-03-17&', ` on 2015-03-17: ${NEWEST('2015-03-02')}`],
    ['EUR/GBP', 'date=2026-03-20&', ` on 2026-03-20: ${NEWEST('2020-06-01')}`],
    ['EUR/KPW', '', ': there are no rates for KPW'],
    ['KPW/EUR', '', ': there are no rates for KPW'],
    ['EUR/CAD', 'providers=ECB&', ': there are no rates for CAD from ECB'],
    ['GBP/CAD', '', ': the two currencies have no rates from the same time'],
    ['EUR/USD', 'providers=ECB,BOC&date=2010-01-01&', ` on 2010-01-01: ${DAYS_BEFORE}`],
    ['GBP/USD', 'providers=HMRC&date=2010-01-01&', ' on 2010-01-01: none is set that is valid then'],
    ['EUR/TRY', `date=2015-03-17&as_of=${AT}&`, ` on 2015-03-17: ${DAYS_BEFORE}`],
    ['EUR/USD', 'providers=ECB,BOC&date=2010-01-01&when=next&', ` from 2010-01-01 to 2010-01-15: ${DAYS_ON}`],
  ])('is explained by when there is one, the same on each route: %s %s', async (pair, query, reason) => {
    for (const target of [
      ...[`/v2/rate/${pair}?${query}`, `/v2/rate/${pair}.txt?${query}`],
      ...[`/v2/rate/${pair}?${query}expand=receipt`, `/v2/convert/${pair}?${query}amount=1`],
    ])
      expect(await messageAt(target)).toBe(`no rate for ${pair}${reason}`);
  });

  it('before a day has the day, and has no rate yet where there are none at all', async () => {
    expect(await messageAt('/v2/convert/EUR/TRL?amount=1&when=before&date=2001-12-03')).toBe(
      'no rate for EUR/TRL before 2001-12-03: the first rate is from 2001-12-03',
    );
    const { message } = await open([]).ask('/v2/rate/EUR/USD');
    expect(message).toBe('no rate for EUR/USD: there are no rates yet');
  });
});

describe('ten thousand lines without a rate', () => {
  const convert = async (lines: readonly object[]) => {
    const { text } = await routes.ask('/v2/convert', { body: JSON.stringify(lines) });
    return (JSON.parse(text) as { error: string }[]).map(({ error }) => error);
  };

  it('of different days are explained a hundred times', async () => {
    const dayOf = (index: number) => new Date(Date.UTC(1900, 0, 1 + index)).toISOString().slice(0, 10);
    const pair = { amount: 1, base: 'EUR', quote: 'USD' };
    const errors = await convert(Array.from({ length: 10_000 }, (_, at) => ({ ...pair, date: dayOf(at) })));
    expect(errors[99]).toBe(`no rate for EUR/USD on ${dayOf(99)}: the first rate is from 2001-12-03`);
    expect(errors[100]).toBe(`no rate for EUR/USD on ${dayOf(100)}`);
    expect(errors.filter((error) => error.includes(': '))).toHaveLength(100);
  });

  it('of different wrong codes have a hint twenty times', async () => {
    const codeOf = (index: number) => `EU${String.fromCharCode(65 + (index % 26))}${index}`;
    const codes = Array.from({ length: 10_000 }, (_, index) => (index === 0 ? 'EU' : codeOf(index)));
    const errors = await convert(codes.map((base) => ({ amount: 1, base, quote: 'USD' })));
    expect(errors[0]).toBe('invalid currency: EU (did you mean EUR?)');
    expect(errors.filter((error) => error.includes('did you mean')).length).toBeLessThanOrEqual(20);
    expect(errors.at(-1)).toBe(`invalid currency: ${codes.at(-1)}`);
  });
});
