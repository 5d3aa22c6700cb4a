import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isWeekend } from '../../../../core/domain/dates.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { openRoutes } from '../routes/in-process.js';

/** The date of the rate by a rule, or what is said, from rows of one source and when that was last read without error. */
async function found(query: string, rows: readonly string[], now: string, readAt?: string): Promise<string> {
  const [source = ''] = rows[0]?.split(' ') ?? [];
  const recorded = [{ at: '2026-01-01T00:00:00Z', rows }];
  const routes = openRoutes({ recorded, now, ...(readAt && { readAt: { [source]: readAt } }) });
  const { status, text, message, cacheControl } = await routes.ask(`/v2/rate/${query}`);
  if (status === 200) return String(JSON.parse(text).date);
  expect(cacheControl).toBe('no-store');
  return `${status} ${message}`;
}

// Good Friday is the 3rd of April 2026, and Easter Monday the 6th: the ECB publishes on neither.
const BEFORE_EASTER = ['ECB 2026-04-01 EUR/USD 1.1', 'ECB 2026-04-02 EUR/USD 1.2'];
const FIRST_ONLY = BEFORE_EASTER.slice(0, 1);
const AFTER_EASTER = [...BEFORE_EASTER, 'ECB 2026-04-07 EUR/USD 1.3'];
const THURSDAY = '2026-04-02';
const VAT = 'EUR/USD?rule=eu-vat&date=';
const VAT_ON_SUNDAY = `${VAT}2026-04-05`;
const NOON = '2026-04-02T13:00:00Z';
const EASTER = '2026-04-05T09:00:00Z';
const READ_ON_TIME = '2026-04-03T16:30:05Z';

/** What is answered, or that a rate is missing and from when on it is expected. */
type Case = [query: string, rows: readonly string[], now: string, answer: unknown, readAt?: string];
const missing = (day: string, from?: string, quote = 'USD') =>
  `404 not published yet: ECB has no rate of ${quote} of ${day}${from ? `; it is expected from ${from}Z on` : ''}`;
const unread = (since: string) =>
  `404 not published yet as far as known: ECB has not been read since ${since}: ECB has no rate of USD of ${THURSDAY}`;
const someMissing = expect.stringMatching(/^404 not published yet: /);
const BEFORE = 'EUR/USD?rule=pl-vat-ecb&date=';

describe('the newest rate up to a day', () => {
  const AFTER_LUNCH = '2026-04-02T15:10:00Z';
  const THURSDAY_EVENING = '2026-04-02T18:00:00Z';
  const GAP = ['ECB 2026-04-02 EUR/USD 1.2', 'ECB 2026-04-20 EUR/USD 1.3'];
  const [READ_SINCE, AFTER_GAP] = ['2026-04-29T17:00:00Z', '2026-04-30T09:00:00Z'];
  const NONE = '404 not published yet: ECB has no rate of USD of the 7 days up to 2026-04-10';
  const POUNDS = [...BEFORE_EASTER, 'ECB 2026-04-01 EUR/GBP 0.8'];
  const ROUBLE = 'ECB 2026-04-01 EUR/RUB 117.2';
  const NEVER = '404 no rate for EUR/AED on 2026-04-02: there are no rates for AED from ECB';

  it.each<Case>([
    // It is not answered while that of the day may come.
    [VAT + THURSDAY, FIRST_ONLY, NOON, missing(THURSDAY, '2026-04-02T14:00')],
    [VAT + THURSDAY, FIRST_ONLY, NOON, someMissing, '2026-04-02T12:59:00Z'],
    [VAT + THURSDAY, FIRST_ONLY, AFTER_LUNCH, missing(THURSDAY, '2026-04-02T15:30')],
    // Nor while its source may not have been read since.
    [VAT + THURSDAY, FIRST_ONLY, '2026-04-09T23:00:00Z', unread('2026-04-01')],
    [VAT + THURSDAY, FIRST_ONLY, '2026-04-09T23:00:00Z', unread('2026-04-02'), '2026-04-02T12:59:00Z'],
    [VAT + THURSDAY, BEFORE_EASTER, NOON, THURSDAY],
    // It is not answered for a day to come.
    [`${VAT}2026-04-15`, BEFORE_EASTER, THURSDAY_EVENING, missing('2026-04-15', '2026-04-15T14:00'), NOON],
    // At a weekend it is that of the last day on which the source publishes.
    [`${VAT}2026-03-29`, ['ECB 2026-03-27 EUR/USD 1.1'], '2026-03-29T09:00:00Z', '2026-03-27'],
    // It is that before a holiday once the source was read without another one, or once a later one is there.
    [VAT_ON_SUNDAY, BEFORE_EASTER, EASTER, missing('2026-04-03', '2026-04-06T14:00')],
    [VAT_ON_SUNDAY, BEFORE_EASTER, EASTER, someMissing, '2026-04-03T16:29:59Z'],
    [VAT_ON_SUNDAY, BEFORE_EASTER, EASTER, THURSDAY, READ_ON_TIME],
    [VAT_ON_SUNDAY, AFTER_EASTER, '2026-04-08T09:00:00Z', THURSDAY],
    // It is not answered after a gap of more than seven days.
    [`${VAT}2026-04-09`, GAP, AFTER_GAP, THURSDAY, READ_SINCE],
    [`${VAT}2026-04-10`, GAP, AFTER_GAP, NONE, READ_SINCE],
    [`${BEFORE}2026-04-10`, GAP, AFTER_GAP, THURSDAY, READ_SINCE],
    [`${BEFORE}2026-04-11`, GAP, AFTER_GAP, someMissing, READ_SINCE],
    // A cross needs both currencies.
    [`USD/GBP?rule=eu-vat&date=${THURSDAY}`, POUNDS, NOON, missing(THURSDAY, '2026-04-02T14:00', 'GBP')],
    [`GBP/USD?rule=eu-vat&date=${THURSDAY}`, POUNDS, NOON, missing(THURSDAY, '2026-04-02T14:00', 'GBP')],
    // It is that before the day where the rule wants that.
    [BEFORE + THURSDAY, FIRST_ONLY, NOON, '2026-04-01'],
    [`${BEFORE}2026-04-03`, FIRST_ONLY, NOON, someMissing],
    [`${BEFORE}2026-04-03`, BEFORE_EASTER, NOON, THURSDAY],
    // That of a currency that has ended is answered as long as the rule allows, and not expected after that.
    [`EUR/RUB?rule=eu-vat&date=2026-04-05`, [...AFTER_EASTER, ROUBLE], '2026-04-08T09:00:00Z', '2026-04-01'],
    [`EUR/RUB?rule=eu-vat&date=2026-04-10`, [...GAP, ROUBLE], AFTER_GAP, NONE.replace('USD', 'RUB')],
    // A currency that the source never had is not published later either.
    [`EUR/AED?rule=eu-vat&date=${THURSDAY}`, BEFORE_EASTER, READ_ON_TIME, NEVER],
  ])('%s of %j at %s is %s', async (query, rows, now, answer, readAt) => {
    expect(await found(query, rows, now, readAt)).toEqual(answer);
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

  it('equals a reading whose rows are not in memory yet', async () => {
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

describe('a rate of other days', () => {
  const OSS = 'USD/EUR?rule=eu-oss&date=2026-02-14&period=month';
  const FEBRUARY = ['ECB 2026-02-27 EUR/USD 1.18'];
  const MARCH = '404 not published yet: ECB has no rate of USD from 2026-02-28 to 2026-03-14';
  const POUNDS = ['ECB 2026-02-27 EUR/GBP 0.8', 'ECB 2026-03-02 EUR/USD 1.17'];
  const [FRIDAY, MONDAY] = ['2026-02-27T17:00:00Z', '2026-03-02T16:00:00Z'];
  const noPounds = expect.stringMatching(/^404 not published yet: ECB has no rate of GBP/);

  const CUSTOMS = 'GBP/USD?rule=uk-customs&date=';
  const AUGUST = ['HMRC 2026-08-01 GBP/USD 1.3367', 'HMRC 2026-08-01 GBP/JPY 200'];
  const YEN = [...AUGUST, 'HMRC 2026-09-01 GBP/JPY 210'];
  const NOW = '2026-08-20T09:00:00Z';
  const NOT_SET = '404 no rate for GBP/USD on 2026-09-10: none is set that is valid then';
  const unset = (day: string, from: string) =>
    `404 not published yet: HMRC has no rate of USD for ${day}; it is expected from ${from}Z on`;

  const SWISS = 'USD/CHF?rule=ch-vat&date=';
  const SATURDAY = ['BAZG 2026-04-04 USD/CHF 0.8'];
  const ACCOUNTS = 'EUR/USD?rule=eu-accounting&date=2026-03-05';

  const GRANT = 'EUR/USD?rule=eu-grant&from=2026-04-01&to=';
  const WEEKEND = 'EUR/USD?rule=eu-grant&from=2026-04-04&to=2026-04-05';
  const NO_MEAN = '404 no rate for EUR/USD on 2026-04-04: there are none from 2026-04-04 to 2026-04-05';

  it.each<Case>([
    // The first rate from a day on is not published while there is none, and does not come any more after 14 days.
    [OSS, FEBRUARY, '2026-03-01T09:00:00Z', `${MARCH}; it is expected from 2026-03-02T14:00Z on`, FRIDAY],
    [OSS, [...FEBRUARY, 'ECB 2026-03-02 EUR/USD 1.17'], MONDAY, '2026-03-02'],
    [OSS, [...FEBRUARY, 'ECB 2026-03-16 EUR/USD 1.17'], '2026-04-01T09:00:00Z', MARCH],
    // It is of no older rate of the other currency.
    [OSS.replace('EUR', 'GBP'), POUNDS, MONDAY, noPounds],
    [OSS.replace('USD/EUR', 'GBP/USD'), POUNDS, MONDAY, noPounds],
    // The rate that is valid on a day is not published while its month may come.
    [`${CUSTOMS}2026-09-10`, AUGUST, NOW, unset('2026-09-10', '2026-08-20T11:00')],
    [`${CUSTOMS}2026-12-10`, AUGUST, NOW, unset('2026-12-10', '2026-11-15T11:00')],
    [`${CUSTOMS}2026-08-31`, AUGUST, NOW, '2026-08-01'],
    [`${SWISS}2026-04-05`, SATURDAY, EASTER, '2026-04-04'],
    [`${SWISS}2026-04-07`, SATURDAY, EASTER, expect.stringMatching(/^404 not published yet: BAZG has/)],
    // Nor while its source was not read since, even if it had no rate of the currency then.
    [
      ACCOUNTS,
      ['INFOREURO 2020-01-01 EUR/GBP 0.8'],
      NOW,
      expect.stringContaining('not been read since 2020'),
    ],
    // It is missing where the source has the month without it.
    [`${CUSTOMS}2026-09-10`, YEN, NOW, NOT_SET],
    [`${CUSTOMS}2026-07-10`, AUGUST, NOW, expect.stringMatching(/^404 no rate/)],
    // A mean is of a range whose last day is published.
    [`${GRANT}2026-04-05`, BEFORE_EASTER, EASTER, someMissing],
    [`${GRANT}2026-04-05`, BEFORE_EASTER, EASTER, '2026-04-01', READ_ON_TIME],
    [GRANT + THURSDAY, BEFORE_EASTER, EASTER, '2026-04-01'],
    [WEEKEND, AFTER_EASTER, '2026-04-08T09:00:00Z', NO_MEAN],
    // It is not a mean of the days before a currency ended, however long ago.
    [
      'EUR/RUB?rule=eu-grant&from=2026-04-01&to=2026-04-20',
      ['ECB 2026-04-01 EUR/RUB 117.2', 'ECB 2026-04-20 EUR/USD 1.3'],
      '2026-04-30T09:00:00Z',
      expect.stringContaining('has no rate of RUB of the 7 days up to 2026-04-20'),
      '2026-04-29T17:00:00Z',
    ],
  ])('%s of %j at %s is %s', async (query, rows, now, answer, readAt) => {
    expect(await found(query, rows, now, readAt)).toEqual(answer);
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
        const readAt = readOn ? `${readOn}T16:30:00Z` : undefined;
        const answer = await found(`EUR/USD?rule=${rule}&date=${date}`, rows, '2026-05-01T09:00:00Z', readAt);
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
});
