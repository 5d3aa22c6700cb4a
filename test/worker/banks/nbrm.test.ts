import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbrm.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.nbrm.mk/KLServiceNOV/GetExchangeRate';
const list = (...rows: [string, string, number | string, number | string | null][]) =>
  JSON.stringify(
    rows.map(([day, oznaka, nomin, sreden]) => ({
      datum: `${day}T00:00:00`,
      oznaka,
      nomin,
      sreden,
      drzava: 'ЕМУ',
    })),
  );

test('denars for one unit, weekends kept, in steps of 90 days', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-01..2026-05-30', {
    [PLACE]: [
      list(['2026-03-01', 'EUR ', 1, 61.6948], ['2026-03-01', 'MKD', 1, 1]),
      list(['2026-05-30', 'JPY', '100', '33.43']),
    ],
  });
  expect(rows).toEqual([
    ['2026-03-01', 'EUR', 'MKD', 61.6948],
    ['2026-05-30', 'JPY', 'MKD', 0.3343],
  ]);
  expect(requests.map(({ query }) => `${query.get('StartDate')} ${query.get('EndDate')}`)).toEqual([
    '01.03.2026 29.05.2026',
    '30.05.2026 30.05.2026',
  ]);
});

test('an empty list is an empty window', async () => {
  expect((await readFeed(feed, '2026-03-01..2026-03-02', { [PLACE]: '[]' })).rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', 'null', /documented form/],
  ['a missing rate', list(['2026-03-01', 'EUR', 1, null]), /sreden/],
  ['a rate that is no number', list(['2026-03-01', 'EUR', 1, 'x']), /not a number/],
  ['a date in another form', list(['01.03.2026', 'EUR', 1, 61]), /not a date/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-01..2026-03-02', { [PLACE]: answer })).rejects.toThrow(message);
});
