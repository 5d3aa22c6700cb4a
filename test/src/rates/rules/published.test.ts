import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isWeekend } from '../../../../core/domain/dates.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { openRoutes } from '../routes/in-process.js';

interface Given {
  rows: readonly string[];
  now: string;
  /** When their source was last read without error. */
  readAt?: string;
}

/** What a rule answers from rows of one source: status and date of the rate, or what is said. */
async function found(query: string, { rows, now, readAt }: Given): Promise<string> {
  const [source = ''] = rows[0]?.split(' ') ?? [];
  const routes = openRoutes({
    recorded: [{ at: '2026-01-01T00:00:00Z', rows }],
    now,
    ...(readAt && { readAt: { [source]: readAt } }),
  });
  const { status, text, message, cacheControl } = await routes.ask(`/v2/rate/${query}`);
  if (status === 200) return String(JSON.parse(text).date);
  expect(cacheControl).toBe('no-store');
  return `${status} ${message}`;
}

// Good Friday is the 3rd of April 2026, and Easter Monday the 6th: the ECB publishes on neither.
const BEFORE_EASTER = ['ECB 2026-04-01 EUR/USD 1.1', 'ECB 2026-04-02 EUR/USD 1.2'];
const AFTER_EASTER = [...BEFORE_EASTER, 'ECB 2026-04-07 EUR/USD 1.3'];
const THURSDAY = '2026-04-02';
const VAT = 'EUR/USD?rule=eu-vat&date=';
const VAT_ON_SUNDAY = `${VAT}2026-04-05`;
const READ_ON_TIME = '2026-04-03T16:30:05Z';

describe('the newest rate up to a day', () => {
  it('is not answered while that of the day may come', async () => {
    const now = '2026-04-02T13:00:00Z';
    const rows = BEFORE_EASTER.slice(0, 1);
    const missing = '404 not published yet: ECB has no rate of USD of 2026-04-02; it is expected from';
    expect(await found(VAT + THURSDAY, { rows, now })).toBe(`${missing} 2026-04-02T14:00Z on`);
    expect(await found(VAT + THURSDAY, { rows, now, readAt: '2026-04-02T12:59:00Z' })).toMatch(missing);
    expect(await found(VAT + THURSDAY, { rows, now: '2026-04-02T15:10:00Z' })).toBe(
      `${missing} 2026-04-02T15:30Z on`,
    );
    expect(await found(VAT + THURSDAY, { rows, now: '2026-04-09T23:00:00Z' })).toBe(
      `${missing} 2026-04-10T14:00Z on`,
    );
    expect(await found(VAT + THURSDAY, { rows: BEFORE_EASTER, now })).toBe(THURSDAY);
  });

  it('is not answered for a day to come', async () => {
    const given = { rows: BEFORE_EASTER, now: '2026-04-02T18:00:00Z', readAt: '2026-04-02T17:00:00Z' };
    expect(await found(`${VAT}2026-04-15`, given)).toBe(
      '404 not published yet: ECB has no rate of USD of 2026-04-15; it is expected from 2026-04-15T14:00Z on',
    );
  });

  it('is that of the last day on which the source publishes, at a weekend', async () => {
    expect(
      await found(`${VAT}2026-03-29`, { rows: ['ECB 2026-03-27 EUR/USD 1.1'], now: '2026-03-29T09:00:00Z' }),
    ).toBe('2026-03-27');
  });

  it('is that before a holiday once the source was read without another one', async () => {
    const now = '2026-04-05T09:00:00Z';
    const missing = '404 not published yet: ECB has no rate of USD of 2026-04-03; it is expected from';
    expect(await found(VAT_ON_SUNDAY, { rows: BEFORE_EASTER, now })).toBe(`${missing} 2026-04-06T14:00Z on`);
    expect(await found(VAT_ON_SUNDAY, { rows: BEFORE_EASTER, now, readAt: '2026-04-03T16:29:59Z' })).toMatch(
      missing,
    );
    expect(await found(VAT_ON_SUNDAY, { rows: BEFORE_EASTER, now, readAt: READ_ON_TIME })).toBe(THURSDAY);
  });

  it('is that before a holiday once a later one is there', async () => {
    expect(await found(VAT_ON_SUNDAY, { rows: AFTER_EASTER, now: '2026-04-08T09:00:00Z' })).toBe(THURSDAY);
  });

  it('is not answered after a gap of more than seven days', async () => {
    const now = '2026-04-30T09:00:00Z';
    const rows = ['ECB 2026-04-02 EUR/USD 1.2', 'ECB 2026-04-20 EUR/USD 1.3'];
    const readAt = '2026-04-29T17:00:00Z';
    expect(await found(`${VAT}2026-04-09`, { rows, now, readAt })).toBe(THURSDAY);
    expect(await found(`${VAT}2026-04-10`, { rows, now, readAt })).toBe(
      '404 not published yet: ECB has no rate of USD of the 7 days up to 2026-04-10',
    );
    expect(await found('EUR/USD?rule=pl-vat-ecb&date=2026-04-10', { rows, now, readAt })).toBe(THURSDAY);
    expect(await found('EUR/USD?rule=pl-vat-ecb&date=2026-04-11', { rows, now, readAt })).toMatch('404 not');
  });

  it('of a cross needs both currencies', async () => {
    const now = '2026-04-02T13:00:00Z';
    const rows = [...BEFORE_EASTER, 'ECB 2026-04-01 EUR/GBP 0.8'];
    const missing = '404 not published yet: ECB has no rate of GBP of 2026-04-02;';
    expect(await found(`USD/GBP?rule=eu-vat&date=${THURSDAY}`, { rows, now })).toMatch(missing);
    expect(await found(`GBP/USD?rule=eu-vat&date=${THURSDAY}`, { rows, now })).toMatch(missing);
  });

  it('is that before the day where the rule wants that', async () => {
    const now = '2026-04-02T13:00:00Z';
    const rows = BEFORE_EASTER.slice(0, 1);
    const query = 'EUR/USD?rule=pl-vat-ecb&date=';
    expect(await found(query + THURSDAY, { rows, now })).toBe('2026-04-01');
    expect(await found(`${query}2026-04-03`, { rows, now })).toMatch('404 not published yet');
    expect(await found(`${query}2026-04-03`, { rows: BEFORE_EASTER, now })).toBe(THURSDAY);
  });

  it('is of what was known at an instant, whenever the source was read', async () => {
    const routes = openRoutes({
      recorded: [
        { at: '2026-04-02T14:05:00Z', rows: BEFORE_EASTER },
        { at: '2026-04-07T14:05:00Z', rows: AFTER_EASTER },
      ],
      now: '2026-04-08T09:00:00Z',
      readAt: { ECB: '2026-04-08T08:00:00Z' },
    });
    const query = `/v2/rate/${VAT_ON_SUNDAY}&as_of=`;
    expect((await routes.ask(`${query}2026-04-06T00:00:00Z`)).message).toBe(
      'not published yet: ECB has no rate of USD of 2026-04-03; it is expected from 2026-04-06T14:00Z on',
    );
    expect(await routes.json(`${query}2026-04-07T15:00:00Z`)).toMatchObject({ date: THURSDAY });
  });

  it('is not told from a reading whose rows are not in memory yet', async () => {
    const routes = openRoutes({
      recorded: [
        { at: '2026-04-01T14:05:00Z', rows: BEFORE_EASTER.slice(0, 1) },
        { at: '2026-04-02T14:05:00Z', rows: BEFORE_EASTER },
      ],
      now: '2026-04-02T18:00:00Z',
      current: (snapshots) => snapshots[0],
      readAt: { ECB: '2026-04-02T16:31:00Z' },
      version: 2n,
    });
    expect((await routes.ask(`/v2/rate/${VAT}${THURSDAY}`)).message).toMatch('not published yet');
  });
});

describe('the first rate from a day on', () => {
  const OSS = 'USD/EUR?rule=eu-oss&date=2026-02-14&period=month';
  it('is not published while there is none', async () => {
    const rows = ['ECB 2026-02-27 EUR/USD 1.18'];
    const readAt = '2026-02-27T17:00:00Z';
    expect(await found(OSS, { rows, now: '2026-03-01T09:00:00Z', readAt })).toBe(
      '404 not published yet: ECB has no rate of USD from 2026-02-28 to 2026-03-14; it is expected from 2026-03-02T14:00Z on',
    );
    expect(
      await found(OSS, { rows: [...rows, 'ECB 2026-03-02 EUR/USD 1.17'], now: '2026-03-02T16:00:00Z' }),
    ).toBe('2026-03-02');
  });

  it('does not come any more after 14 days', async () => {
    const rows = ['ECB 2026-02-27 EUR/USD 1.18', 'ECB 2026-03-16 EUR/USD 1.17'];
    expect(await found(OSS, { rows, now: '2026-04-01T09:00:00Z' })).toBe(
      '404 not published yet: ECB has no rate of USD from 2026-02-28 to 2026-03-14',
    );
  });

  it('is of no older rate of the other currency', async () => {
    const rows = ['ECB 2026-02-27 EUR/GBP 0.8', 'ECB 2026-03-02 EUR/USD 1.17'];
    expect(await found(OSS.replace('EUR', 'GBP'), { rows, now: '2026-03-02T16:00:00Z' })).toMatch(
      '404 not published yet: ECB has no rate of GBP',
    );
    expect(await found(OSS.replace('USD/EUR', 'GBP/USD'), { rows, now: '2026-03-02T16:00:00Z' })).toMatch(
      '404 not published yet: ECB has no rate of GBP',
    );
  });
});

describe('the rate that is valid on a day', () => {
  const CUSTOMS = 'GBP/USD?rule=uk-customs&date=';
  const rows = ['HMRC 2026-08-01 GBP/USD 1.3367', 'HMRC 2026-08-01 GBP/JPY 200'];
  const now = '2026-08-20T09:00:00Z';

  it('is not published while its month may come', async () => {
    expect(await found(`${CUSTOMS}2026-09-10`, { rows, now })).toBe(
      '404 not published yet: HMRC has no rate of USD for 2026-09-10; it is expected from 2026-08-20T11:00Z on',
    );
    expect(await found(`${CUSTOMS}2026-12-10`, { rows, now })).toBe(
      '404 not published yet: HMRC has no rate of USD for 2026-12-10; it is expected from 2026-11-15T11:00Z on',
    );
    expect(await found(`${CUSTOMS}2026-08-31`, { rows, now })).toBe('2026-08-01');
  });

  it('is missing where the source has the month without it', async () => {
    const later = [...rows, 'HMRC 2026-09-01 GBP/JPY 210'];
    expect(await found(`${CUSTOMS}2026-09-10`, { rows: later, now })).toBe(
      '404 no rate for GBP/USD on 2026-09-10: none is set that is valid then',
    );
    expect(await found(`${CUSTOMS}2026-07-10`, { rows, now })).toMatch('404 no rate');
  });
});

describe('a mean', () => {
  const query = `EUR/USD?rule=eu-grant&from=2026-04-01&to=`;
  it('is of a range whose last day is published', async () => {
    const now = '2026-04-05T09:00:00Z';
    expect(await found(`${query}2026-04-05`, { rows: BEFORE_EASTER, now })).toMatch('404 not published yet');
    expect(await found(`${query}2026-04-05`, { rows: BEFORE_EASTER, now, readAt: READ_ON_TIME })).toBe(
      '2026-04-01',
    );
    expect(await found(query + THURSDAY, { rows: BEFORE_EASTER, now })).toBe('2026-04-01');
  });
});

describe('a currency that the source never had', () => {
  it('is not published later either', async () => {
    expect(
      await found('EUR/AED?rule=eu-vat&date=2026-04-02', { rows: BEFORE_EASTER, now: READ_ON_TIME }),
    ).toBe('404 no rate for EUR/AED on 2026-04-02: there are no rates of AED from ECB');
  });
});

describe('whatever is known', () => {
  const FIRST = '2026-03-02';
  const day = fc.integer({ min: 0, max: 40 }).map((days) => addDays(FIRST, days));
  const published = fc
    .uniqueArray(day, { minLength: 1 })
    .map((days) => days.filter((date) => !isWeekend(date)).sort())
    .filter((days) => days.length > 0);

  it('no rate is older than the newest one up to the day, and none that may be missing is passed over', async () => {
    const asked = fc.record({
      days: published,
      date: day,
      rule: fc.constantFrom('eu-vat', 'pl-vat-ecb'),
      readOn: fc.option(day),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ days, date, rule, readOn }) => {
        const rows = days.map((each, at) => `ECB ${each} EUR/USD ${1 + at / 100}`);
        const readAt = readOn ? { readAt: `${readOn}T16:30:00Z` } : {};
        const answer = await found(`EUR/USD?rule=${rule}&date=${date}`, {
          rows,
          now: '2026-05-01T09:00:00Z',
          ...readAt,
        });
        if (answer.startsWith('404')) return;
        const last = rule === 'eu-vat' ? date : addDays(date, -1);
        expect(answer).toBe(days.findLast((each) => each <= last));
        let due = last;
        while (isWeekend(due)) due = addDays(due, -1);
        expect((days.at(-1) ?? '') >= due || (readOn ?? '') >= due).toBe(true);
      }),
      propertyRuns(300),
    );
  });

  it("a date under eu-customs has the plain answer for the Wednesday's", async () => {
    const all = Array.from({ length: 1500 }, (_, days) => addDays('2022-01-03', days)).filter(
      (date, at) => !isWeekend(date) && at % 11 !== 0,
    );
    const { json } = openRoutes({
      recorded: [{ at: FIRST, rows: all.map((date, at) => `ECB ${date} EUR/USD ${1 + at / 10_000}`) }],
      now: '2026-05-01T09:00:00Z',
    });
    const date = fc.integer({ min: 60, max: 1400 }).map((days) => addDays('2022-01-03', days));
    await fc.assert(
      fc.asyncProperty(date, async (date) => {
        const { rule, ...answer } = await json(
          `/v2/convert/USD/EUR?amount=10000&date=${date}&rule=eu-customs`,
        );
        const { day } = rule as { day: string };
        expect(answer).toEqual(await json(`/v2/convert/USD/EUR?amount=10000&date=${day}&providers=ECB`));
      }),
      propertyRuns(100),
    );
  });
});
