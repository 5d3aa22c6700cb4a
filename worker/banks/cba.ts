import { type Feed, FeedError } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { callSoap, xmlText } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://api.cba.am/exchangerates.asmx';
const NAMESPACE = 'http://www.cba.am/';
const STEP_DAYS = 365;
/** Grams in a troy ounce as they are rounded for this bank's prices of metal. */
const GRAMS_PER_OUNCE = 31.1035;

/**
 * Central Bank of Armenia: average market rates in drams for so many units of each currency that the bank quotes
 * today, and for a gram of gold and of silver. A date is midnight in Armenia: only its day counts.
 */
export const feed: Feed = {
  key: 'CBA',
  backfillDays: STEP_DAYS,

  async *rows(window, { http }) {
    const latest = await callSoap(http, URL, {
      action: `"${NAMESPACE}ExchangeRatesLatest"`,
      body: `<ExchangeRatesLatest xmlns="${NAMESPACE}" />`,
    });
    const listed = latest.all('ExchangeRatesLatestResult/Rates/ExchangeRate');
    const codes = listed
      .map((entry) => entry.text('ISO'))
      .filter(Boolean)
      .join(',');
    if (codes === '') throw new FeedError(`${URL}: the latest rates name no currency`);
    for (const { from, to } of stepsOf(window, STEP_DAYS)) {
      const response = await callSoap(http, URL, {
        action: `"${NAMESPACE}ExchangeRatesByDateRangeByISO"`,
        body: `<ExchangeRatesByDateRangeByISO xmlns="${NAMESPACE}"><ISOCodes>${xmlText(codes)}</ISOCodes><DateFrom>${from}</DateFrom><DateTo>${to}</DateTo></ExchangeRatesByDateRangeByISO>`,
      });
      const result = response.first('ExchangeRatesByDateRangeByISOResult');
      if (!result) throw new FeedError(`${URL}: the answer holds no ExchangeRatesByDateRangeByISOResult`);
      for (const row of result.all('diffgram/DocumentElement/ExchangeRatesByRange')) {
        const base = row.text('ISO');
        if (!base) continue;
        const unit = numberOf(row.text('Rate') ?? '') / numberOf(row.text('Amount') ?? '');
        const rate = base === 'XAU' || base === 'XAG' ? unit * GRAMS_PER_OUNCE : unit;
        yield { date: parseDate(row.text('RateDate') ?? '', 'YYYY-MM-DD'), base, quote: 'AMD', rate };
      }
    }
  },
};
