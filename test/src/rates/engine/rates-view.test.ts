import { expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { versionAt } from '../../../../src/rates/engine/rates-view.js';
import { openRoutes } from '../routes/in-process.js';
import { snapshotOf } from '../sources/in-memory.js';

const at = (days: number) => fromDayNumber(dayNumber('2026-03-20') + days);

/** Rates at the far ends of what is carried: base and quote 14 days apart each, and one a day too old. */
const THEN = [
  ...[`ECB ${at(-70)} EUR/USD 1.05`, `ECB ${at(-62)} EUR/GBP 0.81`, `ECB ${at(-45)} EUR/USD 1.1`],
  ...[`BOC ${at(-44)} USD/JPY 150`, `BOC ${at(-30)} USD/JPY 151`, `ECB ${at(-28)} EUR/USD 1.2`],
  ...[`BOC ${at(-14)} USD/JPY 152`, `ECB ${at(-14)} EUR/GBP 0.83`, `NBU ${at(-15)} EUR/UAH 50`],
  ...[`ECB ${at(-1)} EUR/USD 1.3`, `NBU ${at(1)} USD/UAH 41`, `NBU ${at(2)} USD/UAH 42`],
  `BCEAO ${at(-9)} USD/XOF 560`,
];
const NOW_ROWS = [
  ...THEN.map((text) => text.replace(/[\d.]+$/, (rate) => String(Number(rate) * 1.01))),
  `ECB ${at(3)} EUR/CHF 0.9`,
  `IMF ${at(-3)} USD/GBP 0.7`,
];
const INSTANT = '2026-03-20T12:00:00Z';
const THEN_AT = '2026-03-20T09:00:00Z';
const then = openRoutes({ recorded: [{ at: THEN_AT, rows: THEN }], now: INSTANT });
const recorded = [
  { at: THEN_AT, rows: THEN },
  { at: '2026-03-23T09:00:00Z', rows: NOW_ROWS },
];
const whole = openRoutes({ recorded, now: '2026-03-23T12:00:00Z' });

const days = [0, -14, -31, -48, 5].map((day) => `&date=${at(day)}`);
const ranges = [
  ...[`&from=${at(0)}`, `&from=${at(-30)}&to=${at(-28)}`, `&from=${at(-44)}&to=${at(-44)}`],
  `&from=${at(-16)}`,
];
const filled = ['', '&fill_days=1', '&fill_days=16', '&fill_days=40'].map(
  (rest) => `&from=${at(-4)}&to=${at(1)}&fill=forward${rest}`,
);
const grouped = ['week', 'month', 'quarter', 'year', 'range'].flatMap((group) => [
  `&from=${at(-13)}&group=${group}`,
  `&from=${at(-40)}&to=${at(-24)}&group=${group}&expand=stats`,
]);

const targets = ['', ...days, ...ranges, ...filled, ...grouped].flatMap((when) =>
  ['base=EUR', 'base=JPY', 'base=XOF', 'base=USD&quotes=GBP,UAH'].map((pair) => `/v2/rates?${pair}${when}`),
);

it.each([
  ...targets,
  ...['/v2/rates?expand=providers', '/v2/rates?expand=quality&quotes=UAH'],
  ...[`/v2/rates?expand=providers&date=${at(-14)}`, `/v2/rates?expand=providers&from=${at(-20)}`],
  ...[`/v2/rates?expand=providers&from=${at(-20)}&group=month`, '/v2/rates?providers=ECB'],
  '/v2/rates?providers=ECB,BOC&base=JPY',
  ...[`/v2/rates?providers=ECB,BOC&base=JPY&from=${at(-20)}&group=week`, '/v2/rate/JPY/UAH'],
  ...['/v2/convert/EUR/JPY?amount=100', `/v2/convert/EUR/JPY?amount=100&date=${at(-10)}`],
  ...[`/v2/convert/JPY/XOF?amount=100&date=${at(-8)}`, `/v2/convert/JPY/UAH?amount=100&date=${at(0)}`],
  `/v2/convert/EUR/UAH?amount=100&date=${at(0)}&when=before`,
  `/v2/convert/EUR/UAH?amount=100&date=${at(-1)}&when=before`,
  '/v2/convert/EUR/JPY?amount=100&providers=ECB,BOC',
])('what was known at an instant is answered as it was then: %s', async (target) => {
  const expected = await then.ask(target);
  const past = await whole.ask(`${target}${target.includes('?') ? '&' : '?'}as_of=${INSTANT}`);
  expect([past.status, past.text]).toEqual([expected.status, expected.text]);
  // It differs from that of now, or the comparison would show little.
  const isList = target.startsWith('/v2/rates') && past.text.length > 100;
  if (isList) expect(past.text).not.toBe((await whole.ask(target)).text);
});

it('an instant in the future is refused by the name of its parameter, by the later of both clocks', async () => {
  const known = Date.parse(THEN_AT);
  const now = Date.parse(INSTANT);
  const fault = new Error('a fault');
  const failure = (instant: number, clock = now) => {
    const parts = { versions: { at: () => Promise.reject(fault) }, clock: () => new Date(clock) };
    const asked = { instant, parameter: 'updated_after' };
    return versionAt(parts, { ...snapshotOf([]), knownAt: known }, asked).catch((error: unknown) => error);
  };
  expect(await failure(now + 1)).toMatchObject({
    status: 422,
    message: 'updated_after is in the future: leave it out, or use one before 2026-03-20T12:00:00.000Z',
    parameters: [{ parameter: 'updated_after' }],
  });
  expect(await failure(now)).toBe(fault);
  // That is by the clock of the store where it is ahead.
  expect(await failure(known, known - 10)).toBe(fault);
  expect(await failure(known + 1, known - 10)).toMatchObject({ status: 422 });
});
