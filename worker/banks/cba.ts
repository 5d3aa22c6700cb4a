import { type Feed, FeedError, noData, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { callSoap, xmlText } from '../feeds/toolbox/soap.js';
import { perTroyOunce } from '../feeds/toolbox/troy-ounce.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://api.cba.am/exchangerates.asmx';
const NAMESPACE = 'http://www.cba.am/';
const STEP_DAYS = 365;
/** Grams in a troy ounce, as rounded for this bank's metal prices. */
const GRAMS_PER_OUNCE = 31.1035;
/** Codes in the archive that today's rates may lack. A request for a range only returns codes that it names. */
const FORMER = (
  'ARP ARS ATS BEF BGL BGN BRC BYR DEM DKK EEK EGP ESP FIM FRF GRD HUF IEP ILS ISK ITL KRW KWD LBP LTL LVL MDL MXN NLG PLZ ' +
  'PTE RON SAR SDR SKK SYP TMT TRY USM'
).split(' ');

/**
 * Central Bank of Armenia: average market rates in drams for a stated number of units of each currency that the bank quotes
 * today or used to quote, and for a gram of gold and of silver. A date is midnight in Armenia; only its day counts.
 */
export const feed: Feed = {
  key: 'CBA',
  backfillDays: STEP_DAYS,
  reading: 2,

  async *read(window, { http, navigation }) {
    const { response: latest, content } = await callSoap(navigation, ENDPOINT, {
      action: `"${NAMESPACE}ExchangeRatesLatest"`,
      body: `<ExchangeRatesLatest xmlns="${NAMESPACE}" />`,
      result: 'ExchangeRatesLatestResponse',
    });
    const listed = content.only('ExchangeRatesLatestResult').only('Rates').children;
    if (listed.length === 0) throw new FeedError(`${latest.url}: the latest rates name no currency`);
    const quoted = listed.map((entry) => entry.only('ISO').ownText);
    const codes = [...new Set([...quoted, ...FORMER])].join(',');
    for (const asked of stepsOf(window, STEP_DAYS)) {
      const { response, content } = await callSoap(http, ENDPOINT, {
        action: `"${NAMESPACE}ExchangeRatesByDateRangeByISO"`,
        body: `<ExchangeRatesByDateRangeByISO xmlns="${NAMESPACE}"><ISOCodes>${xmlText(codes)}</ISOCodes><DateFrom>${asked.from}</DateFrom><DateTo>${asked.to}</DateTo></ExchangeRatesByDateRangeByISO>`,
        result: 'ExchangeRatesByDateRangeByISOResponse',
      });
      const diffgram = content.only('ExchangeRatesByDateRangeByISOResult').only('diffgram');
      if (diffgram.children.length === 0) {
        yield noData(response, 'a window without rates has an empty diffgram');
        continue;
      }
      yield ratesFrom(response, asked, diffgram.only('DocumentElement').children, (row) => {
        const base = row.text('ISO');
        const price = numberOf(row.text('Rate'));
        return {
          date: parseDate(row.text('RateDate'), 'YYYY-MM-DD'),
          base,
          quote: 'AMD',
          rate: base === 'XAU' || base === 'XAG' ? perTroyOunce(price, GRAMS_PER_OUNCE) : price,
          units: numberOf(row.text('Amount')),
        };
      });
    }
  },
};
