import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cba.js';
import { blockedPage, readFeed, soapAnswer } from '../feeds/support.js';

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
const row = (code: string, amount: string, rate: string, day = '2026-03-02') =>
  `<ExchangeRatesByRange><Rate>${rate}</Rate><Amount>${amount}</Amount><ISO>${code}</ISO><Diff>-0.1</Diff><RateDate>${day}T00:00:00+04:00</RateDate></ExchangeRatesByRange>`;
const DAYS = '2026-03-01..2026-03-02';

test('drams for one unit and for an ounce, on the day as it is in Armenia', async () => {
  const { rows, requests } = await readFeed(feed, DAYS, {
    [PLACE]: [
      latest('USD', 'XAU'),
      range(
        row('IRR', '100', '0.028685'),
        row('XAU', '1', '60871'),
        row('XAG', '1', '973.28'),
        row('', '1', '5'),
      ),
    ],
  });
  expect(rows).toEqual([
    ['2026-03-02', 'IRR', 'AMD', 0.00028685],
    ['2026-03-02', 'XAU', 'AMD', 1893301.1485],
    ['2026-03-02', 'XAG', 'AMD', 30272.41448],
  ]);
  expect(requests.map(({ headers }) => headers.soapaction)).toEqual([
    '"http://www.cba.am/ExchangeRatesLatest"',
    '"http://www.cba.am/ExchangeRatesByDateRangeByISO"',
  ]);
  expect(requests[1]?.body).toContain('<DateFrom>2026-03-01</DateFrom><DateTo>2026-03-02</DateTo>');
});

test('currencies that the bank no longer quotes are asked for too, each code once', async () => {
  const { requests } = await readFeed(feed, DAYS, { [PLACE]: [latest('USD', 'ARS', 'XAU'), range()] });
  const codes = /<ISOCodes>(.*)<\/ISOCodes>/.exec(requests[1]?.body ?? '')?.[1]?.split(',') ?? [];
  expect(codes).toEqual(expect.arrayContaining(['USD', 'XAU', 'RON', 'TMT', 'DEM', 'PLZ', 'SDR', 'USM']));
  expect(codes).toHaveLength(new Set(codes).size);
  // Copies of other currencies, and currencies whose figures are of no use.
  for (const code of ['TAD', 'TMM', 'ROL', 'TRL']) expect(codes).not.toContain(code);
});

test('figures of one currency under two codes are one rate, and those that stray are counted', async () => {
  const day = '2005-09-30';
  const { rows, skipped } = await readFeed(
    feed,
    `${day}..${day}`,
    {
      [PLACE]: [
        latest('USD'),
        range(row('XDR', '1', '651', day), row('SDR', '1', '651', day), row('RON', '1', '15', day)),
      ],
    },
    { today: '2026-03-02' },
  );
  expect(rows).toEqual([[day, 'XDR', 'AMD', 651]]);
  expect(skipped).toEqual({ 'a figure that strays from the market by many times': 1 });
});

test('a window without rates, and a long one in steps of a year', async () => {
  const { rows, requests } = await readFeed(feed, '2024-01-01..2025-03-01', {
    [PLACE]: [latest('USD'), range()],
  });
  expect(rows).toEqual([]);
  expect(requests).toHaveLength(3);
  expect(requests[2]?.body).toContain('<DateFrom>2024-12-31</DateFrom><DateTo>2025-03-01</DateTo>');
});

test.each([
  ['a blocked page', [blockedPage], /HTML page/],
  ['a fault', [soapAnswer('<soap:Fault><faultstring>down</faultstring></soap:Fault>')], /fault: down/],
  ['an empty list of codes', [latest()], /name no currency/],
  [
    'an answer without its result',
    [latest('USD'), soapAnswer('<Other/>')],
    /responded with Other where ExchangeRatesByDateRangeByISOResponse/,
  ],
  ['a missing rate', [latest('USD'), range(row('USD', '1', ''))], /not a number/],
  ['an amount that is no number', [latest('USD'), range(row('USD', 'x', '1'))], /not a number/],
  ['a missing date', [latest('USD'), range(row('USD', '1', '1', ''))], /not a date/],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: answers })).rejects.toThrow(message);
});
