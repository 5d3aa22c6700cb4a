import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/mnb.js';
import { blockedPage, readFeed, soapAnswer } from '../feeds/support.js';

const PLACE = 'POST www.mnb.hu/arfolyamok.asmx';
const rates = (inner: string) =>
  soapAnswer(
    `<GetExchangeRatesResponse xmlns="http://www.mnb.hu/webservices/"><GetExchangeRatesResult>${inner.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</GetExchangeRatesResult></GetExchangeRatesResponse>`,
  );

test('forints for one unit, by the unit of each rate', async () => {
  const { rows, requests } = await readFeed(feed, '2025-03-27..2025-03-28', {
    [PLACE]: rates(
      '<MNBExchangeRates><Day date="2025-03-28"><Rate unit="1" curr="EUR">402,61</Rate><Rate unit="100" curr="JPY">248,17</Rate><Rate unit="0" curr="USD">1</Rate><Rate unit="1" curr="CHF"/></Day></MNBExchangeRates>',
    ),
  });
  expect(rows).toEqual([
    ['2025-03-28', 'EUR', 'HUF', 402.61],
    ['2025-03-28', 'JPY', 'HUF', 2.4817],
  ]);
  expect(requests[0]?.headers.soapaction).toBe(
    'http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates',
  );
  expect(requests[0]?.body).toContain('<startDate>2025-03-27</startDate><endDate>2025-03-28</endDate>');
});

test('a window without days is empty', async () => {
  const { rows } = await readFeed(feed, '2025-03-29..2025-03-30', { [PLACE]: rates('<MNBExchangeRates />') });
  expect(rows).toEqual([]);
});

test('no more than 365 days a request', async () => {
  const { requests } = await readFeed(feed, '2024-01-01..2025-12-31', {
    [PLACE]: rates('<MNBExchangeRates />'),
  });
  expect(requests.map(({ body }) => /<startDate>(.*)<\/endDate>/.exec(body)?.[1])).toEqual([
    '2024-01-01</startDate><endDate>2024-12-30',
    '2024-12-31</startDate><endDate>2025-12-30',
    '2025-12-31</startDate><endDate>2025-12-31',
  ]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a fault', soapAnswer('<s:Fault><faultstring>out of order</faultstring></s:Fault>'), /out of order/],
  [
    'an answer without a result',
    soapAnswer('<GetExchangeRatesResponse/>'),
    /0 elements GetExchangeRatesResult in GetExchangeRatesResponse/,
  ],
  [
    'days without rates',
    rates('<MNBExchangeRates><Day date="2025-03-28"/></MNBExchangeRates>'),
    /list of currencies was lost/,
  ],
  [
    'a value that is no number',
    rates(
      '<MNBExchangeRates><Day date="2025-03-28"><Rate unit="1" curr="EUR">n/a</Rate></Day></MNBExchangeRates>',
    ),
    /not a number/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2025-03-27..2025-03-28', { [PLACE]: answer })).rejects.toThrow(message);
});
