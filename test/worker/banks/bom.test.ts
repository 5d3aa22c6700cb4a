import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bom.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'POST www.mongolbank.mn/en/currency-rate-movement/data';
const days = (...data: object[]) => JSON.stringify({ success: true, data, langData: {} });

test('tugrik for one unit, the SDR under its code', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-21..2026-05-22', {
    [PLACE]: days(
      {
        RATE_DATE: '2026-05-22',
        USD: '3,576.42',
        XAU: '16,172,267.24',
        SDR: '4,887.93',
        EUR: '0.00',
        GBP: null,
        JPY: ' ',
      },
      { RATE_DATE: '2026-05-20', USD: '3,500.00' },
    ),
  });
  expect(rows).toEqual([
    ['2026-05-22', 'USD', 'MNT', 3576.42],
    ['2026-05-22', 'XAU', 'MNT', 16172267.24],
    ['2026-05-22', 'XDR', 'MNT', 4887.93],
  ]);
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ startDate: '2026-05-21', endDate: '2026-05-22' });
});

test('no days are an empty window', async () => {
  expect((await readFeed(feed, '2026-05-21..2026-05-22', { [PLACE]: days() })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"success":false}', /data/],
  ['a day without its date', days({ USD: '3,576.42' }), /RATE_DATE/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-21..2026-05-22', { [PLACE]: answer })).rejects.toThrow(message);
});
