import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbm.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const [RATES, METALS] = [
  'GET www.bnm.md/en/official_exchange_rates',
  'GET www.bnm.md/en/official_metal_rates',
] as const;
const document =
  (root: string, child: string) =>
  (date: string, ...entries: [code: string, nominal: string, value: string][]) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} Date="${date}" name="x">${entries
      .map(
        ([code, nominal, value]) =>
          `<${child} ID=""><NumCode>1</NumCode><CharCode>${code}</CharCode><Nominal>${nominal}</Nominal><Name>x</Name><Value>${value}</Value></${child}>`,
      )
      .join('')}</${root}>`;
const rates = document('ValCurs', 'Valute');
const metals = document('MetalPrice', 'Metal');
const DAY = '2026-04-06..2026-04-06';

test('lei for one unit and for a troy ounce, two questions a weekday', async () => {
  const { rows, requests } = await readFeed(feed, '2026-04-04..2026-04-06', {
    [RATES]: rates('06.04.2026', ['EUR', '1', '20.2754'], ['JPY', '100', '11.0318']),
    [METALS]: metals('06.04.2026', ['XAU', '1', '2617.7179'], ['XPT', '1', '900']),
  });
  expect(rows).toEqual([
    ['2026-04-06', 'EUR', 'MDL', 20.2754],
    ['2026-04-06', 'JPY', 'MDL', 0.110318],
    ['2026-04-06', 'XAU', 'MDL', 81420.1279716],
  ]);
  expect(requests.map(({ path, query }) => `${path}?${query}`)).toEqual([
    '/en/official_exchange_rates?get_xml=1&date=06.04.2026',
    '/en/official_metal_rates?get_xml=1&date=06.04.2026',
  ]);
});

test('empty documents, dead currencies, and metals of a weekend give no rows', async () => {
  const { rows, dropped } = await readFeed(feed, '2026-04-03..2026-04-06', {
    [RATES]: [rates('03.04.2026'), rates('06.04.2026', ['UAK', '1000', '0'], ['GBP', '1', ''])],
    [METALS]: [metals('04.04.2026', ['XAU', '1', '2617']), metals('06.04.2026')],
  });
  expect([rows, dropped]).toEqual([[], {}]);
});

test.each([
  ['a blocked page', { [RATES]: blockedPage }, /HTML page/],
  ['a blocked page for the metals', { [RATES]: rates('06.04.2026'), [METALS]: blockedPage }, /HTML page/],
  ['another root', { [RATES]: metals('06.04.2026') }, /not ValCurs/],
  ['a root without its date', { [RATES]: '<ValCurs name="x"/>' }, /no date where DD\.MM\.YYYY is expected/],
  ['a value that is no number', { [RATES]: rates('06.04.2026', ['USD', '1', 'x']) }, /not a number/],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, DAY, answers)).rejects.toThrow(message);
});
