import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import {
  FREQUENCIES,
  type Frequency,
  periodsWithin,
  timePeriod,
} from '../../../../src/rates/sdmx/periods.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { openSdmx } from './in-process.js';

const CURRENCIES = ['CAD', 'CHF', 'EUR', 'GBP', 'USD', 'XOF'];
const [FIRST, LAST] = ['2025-11-20', '2026-03-20'];

const decimal = (level: number, hundredths: number) => (level + hundredths / 100).toFixed(2);

/** Rates that wander, with gaps, of two sources. */
const rows = Array.from({ length: 120 }, (_, index) => fromDayNumber(dayNumber(FIRST) + index)).flatMap(
  (date, index) => [
    ...(index % 7 < 5 ? [`ECB ${date} EUR/USD ${decimal(1.1, index % 13)}`] : []),
    ...(index % 5 < 3 ? [`ECB ${date} EUR/GBP ${decimal(0.8, index % 11)}`] : []),
    ...(index % 3 < 2 ? [`BOC ${date} USD/CAD ${decimal(1.3, index % 17)}`] : []),
    ...(index % 29 === 0 ? [`BOC ${date} CHF/CAD ${decimal(1.7, index % 9)}`] : []),
  ],
);
const { ask, json } = openSdmx({
  recorded: [
    { at: '2026-03-01T00:00:00Z', rows: rows.filter((row) => row.slice(4, 14) < '2026-02-20') },
    { at: '2026-03-20T09:00:00Z', rows },
  ],
  now: `${LAST}T12:00:00Z`,
});

const day = fc.integer({ min: dayNumber(FIRST) - 20, max: dayNumber(LAST) });
const asked = fc.record({
  frequency: fc.constantFrom(...(Object.keys(FREQUENCIES) as Frequency[])),
  base: fc.constantFrom(...CURRENCIES),
  quotes: fc.uniqueArray(fc.constantFrom(...CURRENCIES), { minLength: 1 }),
  suffix: fc.constantFrom('A' as const, 'E' as const),
  days: fc.tuple(day, day).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
  provider: fc.constantFrom('all', 'ECB', 'BOC', 'BOC+ECB'),
  instant: fc.constantFrom(undefined, '2026-03-01T12:00:00Z'),
});

/** `USD 2026-03-17 1.1498`, as /v2/rates has it. */
async function expected(query: string, frequency: Frequency, isLast: boolean): Promise<string[]> {
  type RateRow = { date: string; quote: string; rate: number; stats?: { last: number | null } };
  const all = await json<RateRow[]>(`/v2/rates?${query}${isLast ? '&expand=stats' : ''}`);
  return all
    .map(({ date, quote, rate, stats }) => ({ date, quote, value: isLast ? stats?.last : rate }))
    .filter(({ value }) => value !== null)
    .sort((one, other) => (one.quote + one.date < other.quote + other.date ? -1 : 1))
    .map(({ date, quote, value }) => `${quote} ${timePeriod(frequency, dayNumber(date))} ${value}`);
}

it('the values of any key, provider and period are those of /v2/rates', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ frequency, base, quotes, suffix, days, provider, instant }) => {
      const key = `${frequency}.${quotes.join('+')}.${base}.SP00.${suffix}/${provider}`;
      const range = `startPeriod=${fromDayNumber(days.from)}&endPeriod=${fromDayNumber(days.to)}`;
      const asOf = instant ? `&asOf=${instant}` : '';
      const { status, text } = await ask(`/sdmx/data/EXR/${key}?format=csvdata&${range}${asOf}`);
      const lines = status === 404 ? [] : text.trimEnd().split('\n').slice(1);
      const found = lines
        .map((line) => line.split(','))
        .map(([, , quote, , , , time, value]) => `${quote} ${time} ${value}`);
      const periods = periodsWithin(frequency, days);
      if (!periods || (frequency === 'D' && suffix === 'E')) return void expect(found).toEqual([]);
      const { period } = FREQUENCIES[frequency];
      const query = [
        `base=${base}&quotes=${quotes.join()}&from=${fromDayNumber(periods.from)}&to=${fromDayNumber(periods.to)}`,
        ...(period === 'day' ? [] : [`group=${period}`]),
        ...(provider === 'all' ? [] : [`providers=${provider.replace('+', ',')}`]),
        ...(instant ? [`as_of=${instant}`] : []),
      ].join('&');
      expect(found).toEqual(await expected(query, frequency, suffix === 'E'));
    }),
    propertyRuns(300),
  );
});
