import { expect, it } from 'vitest';
import { type Asked, addressOf, askedBy } from '../../../../core/domain/receipt/address.js';

const KNOWN_AT = '2026-03-06T16:00:00.000Z';
const PINS = `date=2026-03-06&as_of=${KNOWN_AT}&expand=receipt`;
const PICKED = PINS.replace('&as_of', '&when=next&as_of');
const ASKED: Asked = {
  ...{ kind: 'rate', base: 'EUR', quote: 'NOK', date: '2026-03-06', pick: 'on-or-before', asOf: KNOWN_AT },
};

it.each<[string, Partial<Asked>]>([
  [`/v2/rate/EUR/NOK?${PINS}`, {}],
  [
    `/v2/rate/EUR/NOK?providers=BOC,ECB&precision=full&${PICKED}`,
    {
      ...{ providers: ['BOC', 'ECB'], precision: 'full', pick: 'next' },
    },
  ],
  [
    `/v2/convert/EUR/NOK?amount=-2.50&providers=ECB&${PICKED.replace('next', 'before')}`,
    {
      ...{ kind: 'convert', amount: '-2.50', providers: ['ECB'], pick: 'before' },
    },
  ],
])('an address has what it asks for in one order: %s', (url, part) => {
  const asked = { ...ASKED, ...part };
  expect(askedBy(url)).toEqual(asked);
  expect(addressOf(asked)).toBe(url);
});

const OTHER_FORM = /^url: is not written as \/v2\/rate\/EUR\/NOK\?/;
const NO_ADDRESS = /^url: \S+ is not the address of a receipt$/;
const INVALID = /^url: (providers|date|when|as_of|expand|amount|precision): Invalid/;

it.each([
  [`https://rates.test/v2/rate/EUR/NOK?${PINS}`, NO_ADDRESS],
  [`//rates.test/v2/rate/EUR/NOK?${PINS}`, NO_ADDRESS],
  [`/v1/v2/rate/EUR/NOK?${PINS}`, NO_ADDRESS],
  [`/v2/rate/eur/NOK?${PINS}`, NO_ADDRESS],
  [`/v2/rate/EUR/NOK/?${PINS}`, NO_ADDRESS],
  ['/v2/rate/EUR/NOK', NO_ADDRESS],
  [`/v2/rate/EUR/NOK?${PINS}&date=2026-03-06`, OTHER_FORM],
  [`/v2/rate/EUR/NOK?precision=full&providers=ECB&${PINS}`, OTHER_FORM],
  [`/v2/rate/EUR/NOK?${PINS}#top`, INVALID],
  [`/v2/rate/EUR/NOK?${PINS}&`, OTHER_FORM],
  [`/v2/rate/EUR/NOK?${PINS.replace('-03', '%2D03')}`, OTHER_FORM],
  [`/v2/rate/EUR/NOK?providers=ECB,BOC&${PINS}`, INVALID],
  [`/v2/rate/EUR/NOK?providers=ECB,ECB&${PINS}`, INVALID],
  [`/v2/rate/EUR/NOK?providers=&${PINS}`, INVALID],
  [`/v2/rate/EUR/NOK?precision=display&${PINS}`, INVALID],
  [`/v2/rate/EUR/NOK?${PINS.replace('2026-03-06', '2026-02-30')}`, INVALID],
  [`/v2/rate/EUR/NOK?${PICKED.replace('next', 'on-or-before')}`, INVALID],
  [`/v2/rate/EUR/NOK?${PINS.replace('receipt', 'providers')}`, INVALID],
  [`/v2/rate/EUR/NOK?${PINS.replace('&expand=receipt', '')}`, INVALID],
  [`/v2/rate/EUR/NOK?as_of=${KNOWN_AT}&expand=receipt`, INVALID],
  [`/v2/rate/EUR/NOK?amount=1&${PINS}`, /^url: Unrecognized key: "amount"$/],
  [`/v2/rate/EUR/NOK?header=off&${PINS}`, /^url: Unrecognized key: "header"$/],
  [`/v2/convert/EUR/NOK?amount=1&precision=full&${PINS}`, /^url: Unrecognized key: "precision"$/],
  [`/v2/convert/EUR/NOK?${PINS}`, INVALID],
  [`/v2/convert/EUR/NOK?amount=1e3&${PINS}`, INVALID],
])('any other address is refused: %s', (url, wrong) => expect(() => askedBy(url)).toThrow(wrong));
