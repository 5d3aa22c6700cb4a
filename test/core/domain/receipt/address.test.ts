import { expect, it } from 'vitest';
import { askedBy, differenceOfAddress } from '../../../../core/domain/receipt/address.js';
import { blendReceipt, KNOWN_AT, sourceReceipt } from './made-receipts.js';

it('a conversion asks for an amount, and any address for a day', () => {
  const url = '/v2/convert/EUR/NOK?amount=2.50&date=2026-03-06';
  expect(askedBy({ url })).toEqual({ amount: '2.50', date: '2026-03-06' });
  expect(askedBy({ url: '/v2/rate/EUR/NOK' })).toEqual({ amount: null, date: null });
});

const PINS = `date=2026-03-06&as_of=${KNOWN_AT}&expand=receipt`;
const RIGHT = undefined;
const OTHER_PAIR = 'is not about EUR/NOK';
const OTHER_INSTANT = `as_of is not known_at, ${KNOWN_AT}`;
const NO_RECEIPT = 'asks for no receipt';

it.each([
  [`/v2/rate/EUR/NOK?${PINS}`, RIGHT],
  [`/v2/rate/EUR/NOK?providers=BOC,ECB,FRED,IMF,NBU&${PINS}`, RIGHT],
  [`/v2/convert/EUR/NOK?amount=1&providers=BOC,ECB,FRED,IMF,NBU&${PINS}`, RIGHT],
  [`/v2/rate/NOK/EUR?${PINS}`, OTHER_PAIR],
  [`/v2/rate/EUR/SEK?${PINS}`, OTHER_PAIR],
  [`/v2/rate/USD/NOK?${PINS}`, OTHER_PAIR],
  [`/v1/v2/rate/EUR/NOK?${PINS}`, OTHER_PAIR],
  [`/v2/rate/EUR/NOK?amount=1&${PINS}`, 'amount is no parameter of it'],
  [`/v2/convert/EUR/NOK?amount=1&precision=full&${PINS}`, 'precision is no parameter of it'],
  [`/v2/rate/EUR/NOK?${PINS.replace('receipt', 'providers')}`, NO_RECEIPT],
  [`/v2/rate/EUR/NOK?date=2026-03-06&as_of=${KNOWN_AT}`, NO_RECEIPT],
  [`/v2/rate/EUR/NOK?${PINS.replace(KNOWN_AT, '2026-03-07T00:00:00.000Z')}`, OTHER_INSTANT],
  [`/v2/rate/EUR/NOK?date=2026-03-06&expand=receipt`, OTHER_INSTANT],
  [`/v2/rate/EUR/NOK?as_of=${KNOWN_AT}&expand=receipt`, 'date:  is before the date of the rate, 2026-03-06'],
  [`/v2/rate/EUR/NOK?providers=ECB&${PINS}`, 'providers: one source is not what the rate is made of'],
  [`/v2/rate/EUR/NOK?providers=BOC,ECB,FRED,IMF&${PINS}`, 'providers: does not name NBU'],
])('of a blend the address %s is checked: %s', (url, wrong) => {
  expect(differenceOfAddress({ ...blendReceipt(), url })).toBe(wrong && `url: ${wrong}`);
});

const OTHER_SOURCE = 'url: providers: ECB is not what the rate is made of';
it.each([
  [`/v2/rate/JPY/CHF?providers=ECB&${PINS}`, RIGHT],
  [`/v2/rate/JPY/CHF?${PINS}`, OTHER_SOURCE],
  [`/v2/rate/JPY/CHF?providers=BOC,ECB&${PINS}`, OTHER_SOURCE],
])('of one source the address %s is checked: %s', (url, wrong) => {
  expect(differenceOfAddress({ ...sourceReceipt(), url })).toBe(wrong);
});
