import { type Feed, FeedError, ratesFrom } from '../feeds/feed.js';
import { parseDate } from '../feeds/toolbox/dates.js';
import { numberOf, numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { parseXml } from '../feeds/toolbox/xml.js';

const ENDPOINT = 'http://www.mnb.hu/arfolyamok.asmx';
const NAMESPACE = 'http://www.mnb.hu/webservices/';

/** The currencies quoted in 2026. A request without names returns days without rates. */
const CODES =
  'AUD,BRL,CAD,CHF,CNY,CZK,DKK,EUR,GBP,HKD,IDR,ILS,INR,ISK,JPY,KRW,MXN,MYR,NOK,NZD,PHP,PLN,RON,RSD,RUB,SEK,SGD,THB,TRY,UAH,USD,ZAR';

/** National Bank of Hungary: forints for a stated number of units of each currency, from a SOAP service. */
export const feed: Feed = {
  key: 'MNB',
  backfillDays: 365,
  empty: 'a window without a business day holds no day',

  async *read(window, { http }) {
    for (const asked of stepsOf(window, 365)) {
      const { response, content } = await callSoap(http, ENDPOINT, {
        action: `${NAMESPACE}MNBArfolyamServiceSoap/GetExchangeRates`,
        body: `<GetExchangeRates xmlns="${NAMESPACE}"><startDate>${asked.from}</startDate><endDate>${asked.to}</endDate><currencyNames>${CODES}</currencyNames></GetExchangeRates>`,
        result: 'GetExchangeRatesResponse',
      });
      const result = content.only('GetExchangeRatesResult').ownText;
      const days = parseXml(result, 'MNBExchangeRates', response.url).children;
      if (days.some((day) => day.children.length === 0))
        throw new FeedError(`${response.url}: a day without rates: the list of currencies was lost`);
      const records = days.flatMap((day) =>
        day.children.map((rate) => ({ date: day.attribute('date'), rate })),
      );
      yield ratesFrom(response, asked, records, ({ date, rate }) => ({
        date: parseDate(date, 'YYYY-MM-DD'),
        base: rate.attribute('curr'),
        quote: 'HUF',
        rate: numberOrMissing(rate.ownText, ','),
        units: numberOf(rate.attribute('unit')),
      }));
    }
  },
};
