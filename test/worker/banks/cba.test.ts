import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cba.js';
import { casesOf, readFeed, soapAnswer } from './cases.js';

const PLACE = 'POST api.cba.am/exchangerates.asmx';
const latest = (...codes: string[]) =>
  soapAnswer(
    `<ExchangeRatesLatestResponse xmlns="http://www.cba.am/"><ExchangeRatesLatestResult><Rates>${codes
      .map((code) => `<ExchangeRate><ISO>${code}</ISO><Amount>1</Amount><Rate>1</Rate></ExchangeRate>`)
      .join('')}</Rates></ExchangeRatesLatestResult></ExchangeRatesLatestResponse>`,
  );
const range = (...rows: string[]) =>
  soapAnswer(
    `<ExchangeRatesByDateRangeByISOResponse xmlns="http://www.cba.am/"><ExchangeRatesByDateRangeByISOResult><xs:schema id="x" xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="ExchangeRatesByRange"/></xs:schema><diffgr:diffgram xmlns:diffgr="urn:schemas-microsoft-com:xml-diffgram-v1">${
      rows.length > 0 ? `<DocumentElement xmlns="">${rows.join('')}</DocumentElement>` : ''
    }</diffgr:diffgram></ExchangeRatesByDateRangeByISOResult></ExchangeRatesByDateRangeByISOResponse>`,
  );
const row = (code: string, amount: number | string, rate: number | string, day = '2026-03-02') =>
  `<ExchangeRatesByRange><Rate>${rate}</Rate><Amount>${amount}</Amount><ISO>${code}</ISO><Diff>-0.1</Diff><RateDate>${day}T00:00:00+04:00</RateDate></ExchangeRatesByRange>`;
const { reads, refuses, codes } = casesOf(feed, '2026-03-01..2026-03-02', PLACE);
reads('drams for one unit and for an ounce, on the day as it is in Armenia', {
  given: [
    latest('USD', 'XAU'),
    range(
      row('IRR', '100', '0.028685'),
      row('XAU', '1', '60871'),
      row('XAG', '1', '973.28'),
      row('', '1', '5'),
    ),
  ],
  rates: ['2026-03-02 IRR/AMD 0.00028685, XAU/AMD 1893301.1485, XAG/AMD 30272.41448'],
  asks: [
    'soapaction: "http://www.cba.am/ExchangeRatesLatest"',
    [
      'soapaction: "http://www.cba.am/ExchangeRatesByDateRangeByISO"',
      /<DateFrom>2026-03-01<\/DateFrom><DateTo>2026-03-02<\/DateTo>/,
    ],
  ],
});
test('currencies that the bank no longer quotes are asked for too, each code once', async () => {
  const answers = { [PLACE]: [latest('USD', 'ARS', 'XAU'), range()] };
  const { requests } = await readFeed(feed, '2026-03-01..2026-03-02', answers);
  const asked = /<ISOCodes>(.*)<\/ISOCodes>/.exec(requests[1]?.body ?? '')?.[1]?.split(',') ?? [];
  expect(asked).toEqual(expect.arrayContaining(['USD', 'XAU', 'RON', 'TMT', 'DEM', 'PLZ', 'SDR', 'USM']));
  expect(asked).toHaveLength(new Set(asked).size);
  // Copies of other currencies, and currencies whose figures are of no use.
  for (const code of ['TAD', 'TMM', 'ROL', 'TRL']) expect(asked).not.toContain(code);
});
codes(
  ({ day, code, price, units }) => [latest(code), range(row(code, units, price, day))],
  '2000-10-30 TJS 24 10 TJR/AMD 0.24',
  '2000-11-01 TJS 240 1 TJS/AMD 240',
  '2004-12-30 KZT 37 1 KZT/AMD 3.7',
  '2005-01-04 KZT 3.7 1 KZT/AMD 3.7',
  '2016-01-08 BYN 0.26 10 BYR/AMD 0.026',
  '2016-10-26 BYR 249.91 10 BYN/AMD 249.91',
  '2000-10-30 ARP 551.53 1 ARS/AMD 551.53',
  '1999-07-02 BGL 0.29 1 BGL/AMD 0.29',
  '1999-07-05 BGL 290 1 BGN/AMD 290',
  '2001-12-28 BRC 240 1 BRL/AMD 240',
  '2015-03-06 ISK 35.4 1 ISK/AMD 3.54',
  '2015-03-09 ISK 35.12 10 ISK/AMD 3.512',
  '2006-12-30 PLZ 124.89 1 PLN/AMD 124.89',
  '2005-09-30 RON 15 1',
  '2005-10-03 RON 151 1 RON/AMD 151',
  '2017-01-06 SDR 651 1 XDR/AMD 651',
  '2010-03-31 TMT 2.7 100',
  '2010-04-01 TMT 140 1 TMT/AMD 140',
  '2006-12-29 USM 2.93 1 UZS/AMD 0.293',
);
const early = '2005-09-30';
reads('figures of one currency under two codes are one rate, and those that stray are counted', {
  days: `${early}..${early}`,
  today: '2026-03-02',
  given: [
    latest('USD'),
    range(row('XDR', '1', '651', early), row('SDR', '1', '651', early), row('RON', '1', '15', early)),
  ],
  rates: [`${early} XDR/AMD 651`],
  skipped: { 'a figure that strays from the market by many times': 1 },
});
reads('a window without rates, and a long one in steps of a year', {
  days: '2024-01-01..2025-03-01',
  given: [latest('USD'), range()],
  asks: [[], [], /<DateFrom>2024-12-31<\/DateFrom><DateTo>2025-03-01<\/DateTo>/],
});
refuses([['an empty list of codes', latest(), /name no currency/]]);
