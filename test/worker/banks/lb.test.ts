import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/lb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.lb.lt/webservices/FxRates/FxRates.asmx/getFxRates';
const xml = (inner: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<FxRates xmlns="http://www.lb.lt/WebServices/FxRates">${inner}</FxRates>`;
const entry = (type: string, day: string, ...amounts: [code: string, amount: string][]) =>
  `<FxRate><Tp>${type}</Tp><Dt>${day}</Dt>${amounts
    .map(([code, amount]) => `<CcyAmt><Ccy>${code}</Ccy><Amt>${amount}</Amt></CcyAmt>`)
    .join('')}</FxRate>`;

test('litas for one unit to the end of 2014, then one euro in each currency; no weekends', async () => {
  const { rows, requests } = await readFeed(feed, '2014-12-31..2015-01-05', {
    [PLACE]: [
      xml(entry('LT', '2014-12-31', ['LTL', '7.6881'], ['AED', '10'])),
      // A holiday: the rates of an earlier day.
      xml(entry('EU', '2014-12-31', ['EUR', '1'], ['AUD', '1.4829'])),
      xml(''),
      xml(entry('EU', '2015-01-05', ['EUR', '1'], ['USD', '1.1915'])),
    ],
  });
  expect(rows).toEqual([
    ['2014-12-31', 'AED', 'LTL', 0.76881],
    ['2014-12-31', 'EUR', 'AUD', 1.4829],
    ['2015-01-05', 'EUR', 'USD', 1.1915],
  ]);
  expect(requests.map(({ query }) => `${query.get('tp')} ${query.get('dt')}`)).toEqual([
    'LT 2014-12-31',
    'EU 2015-01-01',
    'EU 2015-01-02',
    'EU 2015-01-05',
  ]);
});

test('manats of before their reform, told by their price', async () => {
  const { rows } = await readFeed(feed, '2006-01-05..2006-01-06', {
    [PLACE]: xml(
      entry('LT', '2006-01-05', ['LTL', '6.2'], ['AZN', '10000']) +
        entry('LT', '2006-01-06', ['LTL', '3.1'], ['AZN', '1']) +
        entry('LT', '2006-01-06', ['LTL', '5.5'], ['TMT', '10000']),
    ),
  });
  expect(rows).toEqual([
    ['2006-01-05', 'AZM', 'LTL', 0.00062],
    ['2006-01-06', 'AZN', 'LTL', 3.1],
    ['2006-01-06', 'TMM', 'LTL', 0.00055],
  ]);
});

test('incomplete entries and those of other than two amounts are no rates, and counted', async () => {
  const { rows, dropped } = await readFeed(feed, '2014-12-29..2014-12-29', {
    [PLACE]: xml(
      entry('LT', '2014-12-29', ['LTL', '1']) +
        entry('LT', '2014-12-29', ['LTL', '1'], ['USD', '1'], ['GBP', '1']) +
        entry('LT', '', ['LTL', '1'], ['USD', '1']) +
        entry('LT', '2014-12-29', ['LTL', ''], ['USD', '1']) +
        entry('LT', '2014-12-29', ['LTL', '2.8'], ['USD', '1']),
    ),
  });
  expect([rows.length, dropped]).toEqual([1, { malformed: 3 }]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  [
    'a refusal',
    xml('<OprlErr><Err><Prtry>102</Prtry></Err><Desc>Wrong date</Desc></OprlErr>'),
    /error 102: Wrong date/,
  ],
  ['another root', '<Envelope/>', /not FxRates/],
  ['an amount that is no number', xml(entry('LT', '2014-12-29', ['LTL', 'x'], ['USD', '1'])), /not a number/],
  [
    'a foreign currency in the first place',
    xml(entry('LT', '2014-12-29', ['USD', '1'], ['LTL', '2.8'])),
    /0 of 1 records give a rate/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2014-12-29..2014-12-29', { [PLACE]: answer })).rejects.toThrow(message);
});
