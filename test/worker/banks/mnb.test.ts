import { feed } from '../../../worker/banks/mnb.js';
import { casesOf, soapAnswer } from './cases.js';

const rates = (...days: string[]) => {
  const inner = `<MNBExchangeRates>${days.join('')}</MNBExchangeRates>`;
  return soapAnswer(
    `<GetExchangeRatesResponse xmlns="http://www.mnb.hu/webservices/"><GetExchangeRatesResult>${inner.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</GetExchangeRatesResult></GetExchangeRatesResponse>`,
  );
};
const day = (...values: string[]) => `<Day date="2025-03-28">${values.join('')}</Day>`;
const rate = (unit: number, curr: string, value: string) =>
  `<Rate unit="${unit}" curr="${curr}">${value}</Rate>`;
const { reads, refuses } = casesOf(feed, '2025-03-27..2025-03-28', 'POST www.mnb.hu/arfolyamok.asmx');
const window = (from: string, to: string) =>
  new RegExp(`<startDate>${from}</startDate><endDate>${to}</endDate>`);
reads('forints for one unit, by the unit of each rate', {
  given: rates(
    day(
      rate(1, 'EUR', '402,61'),
      rate(100, 'JPY', '248,17'),
      rate(0, 'USD', '1'),
      '<Rate unit="1" curr="CHF"/>',
    ),
  ),
  rates: ['2025-03-28 EUR/HUF 402.61, JPY/HUF 2.4817'],
  asks: [
    [
      'soapaction: http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates',
      window('2025-03-27', '2025-03-28'),
    ],
  ],
});
reads('no more than 365 days a request; a window without days is empty', {
  days: '2024-01-01..2025-12-31',
  given: rates(),
  asks: [
    window('2024-01-01', '2024-12-30'),
    window('2024-12-31', '2025-12-30'),
    window('2025-12-31', '2025-12-31'),
  ],
});
refuses([['a day without rates', rates(day()), /list of currencies was lost/]]);
