import { describe, expect, it } from 'vitest';
import { askedBy, differenceOfAddress } from '../../../../core/domain/receipt/address.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import { blendReceipt, KNOWN_AT, sourceReceipt } from './made-receipts.js';

const PINS = `date=2026-03-06&as_of=${KNOWN_AT}&expand=receipt`;
const of = (receipt: Receipt, url: string) => differenceOfAddress({ ...receipt, url });
const ofBlend = (url: string) => of(blendReceipt(), url);
const ofSource = (url: string) => of(sourceReceipt(), url);

it('of a conversion asks for an amount, any for a day', () => {
  expect(askedBy({ url: '/v2/convert/EUR/NOK?amount=2.50&date=2026-03-06' })).toEqual({
    amount: '2.50',
    date: '2026-03-06',
  });
  expect(askedBy({ url: '/v2/rate/EUR/NOK' })).toEqual({ amount: null, date: null });
});

describe('the address of a receipt is right', () => {
  it.each([
    `/v2/rate/EUR/NOK?${PINS}`,
    `/v2/rate/EUR/NOK?${PINS}&precision=full`,
    `/v2/rate/EUR/NOK?providers=BOC,ECB,FRED,IMF,NBU&${PINS}`,
    `/v2/rate/EUR/NOK?${PINS.replace('03-06', '03-20')}`,
    `/v2/convert/EUR/NOK?amount=1&when=latest&${PINS}`,
    `/v2/convert/EUR/NOK?amount=1&providers=BOC,ECB,FRED,IMF,NBU&${PINS}`,
  ])('%s, of a blend', (url) => {
    expect(ofBlend(url)).toBeUndefined();
  });

  it.each([`/v2/rate/JPY/CHF?providers=ECB&${PINS}`, `/v2/convert/JPY/CHF?amount=1&providers=ECB&${PINS}`])(
    '%s, of one source',
    (url) => {
      expect(ofSource(url)).toBeUndefined();
    },
  );
});

describe('the address of a receipt is wrong', () => {
  it.each([
    [`/v2/rate/NOK/EUR?${PINS}`, 'url: is not about EUR/NOK'],
    [`/v2/rate/EUR/SEK?${PINS}`, 'url: is not about EUR/NOK'],
    [`/v2/rate/USD/NOK?${PINS}`, 'url: is not about EUR/NOK'],
    [`/v2/rates/EUR/NOK?${PINS}`, 'url: is not about EUR/NOK'],
    [`/v1/v2/rate/EUR/NOK?${PINS}`, 'url: is not about EUR/NOK'],
    [`/v2/rate/EUR/NOK/x?${PINS}`, 'url: is not about EUR/NOK'],
    [`/v2/rate/EUR/NOK?amount=1&${PINS}`, 'url: amount is no parameter of it'],
    [`/v2/rate/EUR/NOK?when=latest&${PINS}`, 'url: when is no parameter of it'],
    [`/v2/convert/EUR/NOK?amount=1&precision=full&${PINS}`, 'url: precision is no parameter of it'],
    [`/v2/rate/EUR/NOK?${PINS.replace('receipt', 'providers')}`, 'url: asks for no receipt'],
    [`/v2/rate/EUR/NOK?date=2026-03-06&as_of=${KNOWN_AT}`, 'url: asks for no receipt'],
    [
      `/v2/rate/EUR/NOK?date=2026-03-06&as_of=2026-03-07T00:00:00.000Z&expand=receipt`,
      `url: as_of is not known_at, ${KNOWN_AT}`,
    ],
    [`/v2/rate/EUR/NOK?date=2026-03-06&expand=receipt`, `url: as_of is not known_at, ${KNOWN_AT}`],
    [
      `/v2/rate/EUR/NOK?${PINS.replace('03-06', '03-05')}`,
      'url: date: 2026-03-05 is before the date of the rate, 2026-03-06',
    ],
    [
      `/v2/rate/EUR/NOK?as_of=${KNOWN_AT}&expand=receipt`,
      'url: date:  is before the date of the rate, 2026-03-06',
    ],
    [`/v2/rate/EUR/NOK?providers=ECB&${PINS}`, 'url: providers: one source is not what the rate is made of'],
    [`/v2/rate/EUR/NOK?providers=BOC,ECB,FRED,IMF&${PINS}`, 'url: providers: does not name NBU'],
  ])('%s, of a blend: %s', (url, wrong) => {
    expect(ofBlend(url)).toBe(wrong);
  });

  it.each([
    [`/v2/rate/JPY/CHF?${PINS}`, 'url: providers: ECB is not what the rate is made of'],
    [`/v2/rate/JPY/CHF?providers=BOC&${PINS}`, 'url: providers: ECB is not what the rate is made of'],
    [`/v2/rate/JPY/CHF?providers=BOC,ECB&${PINS}`, 'url: providers: ECB is not what the rate is made of'],
  ])('%s, of one source: %s', (url, wrong) => {
    expect(ofSource(url)).toBe(wrong);
  });
});
