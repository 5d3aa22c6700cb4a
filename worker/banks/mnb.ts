import { type Feed, FeedError } from '../feeds/feed.js';
import { numberOrMissing } from '../feeds/toolbox/numbers.js';
import { callSoap } from '../feeds/toolbox/soap.js';
import { stepsOf } from '../feeds/toolbox/windows.js';
import { parseXml } from '../feeds/toolbox/xml.js';

const URL = 'http://www.mnb.hu/arfolyamok.asmx';
const NAMESPACE = 'http://www.mnb.hu/webservices/';

/** Those quoted in 2026. Without names the service answers days that hold no rates. */
const CODES =
  'AUD,BRL,CAD,CHF,CNY,CZK,DKK,EUR,GBP,HKD,IDR,ILS,INR,ISK,JPY,KRW,MXN,MYR,NOK,NZD,PHP,PLN,RON,RSD,RUB,SEK,SGD,THB,TRY,UAH,USD,ZAR';

/** National Bank of Hungary: forints for so many units of each currency, from a SOAP service. */
export const feed: Feed = {
  key: 'MNB',
  backfillDays: 365,

  async *rows(window, { http }) {
    for (const { from, to } of stepsOf(window, 365)) {
      const response = await callSoap(http, URL, {
        action: `${NAMESPACE}MNBArfolyamServiceSoap/GetExchangeRates`,
        body: `<GetExchangeRates xmlns="${NAMESPACE}"><startDate>${from}</startDate><endDate>${to}</endDate><currencyNames>${CODES}</currencyNames></GetExchangeRates>`,
      });
      const result = response.text('GetExchangeRatesResult');
      if (!result) throw new FeedError(`${URL}: the answer holds no GetExchangeRatesResult`);
      const days = parseXml(result, 'MNBExchangeRates', URL).all('Day');
      for (const day of days) {
        const [date, rates] = [day.attribute('date') ?? '', day.all('Rate')];
        if (rates.length === 0)
          throw new FeedError(`${URL}: no rates on ${date}: the list of currencies was lost`);
        for (const rate of rates) {
          const value = numberOrMissing(rate.ownText, ',');
          const unit = numberOrMissing(rate.attribute('unit'));
          if (value && unit)
            yield { date, base: rate.attribute('curr') ?? '', quote: 'HUF', rate: value / unit };
        }
      }
    }
  },
};
