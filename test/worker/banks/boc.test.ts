import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/boc.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json';
const observations = (...days: object[]) => JSON.stringify({ terms: {}, observations: days });

test('Canadian dollars for one unit of each series', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-12..2026-03-13', {
    [PLACE]: observations(
      { d: '2026-03-12', FXUSDCAD: { v: '1.3617' }, FXIDRCAD: { v: '0.000081' } },
      { d: '2026-03-13', FXUSDCAD: { v: 1.37 }, OTHER: { v: '2' } },
    ),
  });
  expect(rows).toEqual([
    ['2026-03-12', 'USD', 'CAD', 1.3617],
    ['2026-03-12', 'IDR', 'CAD', 0.000081],
    ['2026-03-13', 'USD', 'CAD', 1.37],
  ]);
  expect(requests[0]?.query.toString()).toBe('start_date=2026-03-12&end_date=2026-03-13');
});

test('no observations are an empty window, a member without a value is a holiday', async () => {
  expect((await readFeed(feed, '2026-03-14..2026-03-15', { [PLACE]: observations() })).rows).toEqual([]);
  const holiday = observations({ d: '2017-07-03', FXUSDCAD: { e: -64 } });
  expect((await readFeed(feed, '2017-07-03..2017-07-03', { [PLACE]: holiday })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"groupDetail":{}}', /observations/],
  ['a value that is no number', observations({ d: '2026-03-12', FXUSDCAD: { v: 'n/a' } }), /not a number/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-12..2026-03-13', { [PLACE]: answer })).rejects.toThrow(message);
});
