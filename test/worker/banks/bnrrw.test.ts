import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bnrrw.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET fxrates.bnr.rw/currency_history/';
type Record4 = [currency: string, average: string | undefined, date: string | undefined];
const history =
  (...records: Record4[]) =>
  ({ query }: { query: URLSearchParams }) =>
    JSON.stringify(
      records
        .filter(([currency]) => currency === query.get('currency_name'))
        .map(([currency_name, average_rate, post_date]) => ({
          currency_name,
          buying_rate: '1',
          average_rate,
          selling_rate: '2',
          post_date,
        })),
    );

test('the published average in francs for one unit, in any order of days', async () => {
  const { rows, requests } = await readFeed(feed, '2024-01-04..2024-01-05', {
    [PLACE]: history(
      ['USD', '1268.25', '05-Jan-24'],
      ['USD', '1,267.50', '04-Jan-24'],
      ['BIF', '0.490858', '04-Jan-24'],
    ),
  });
  expect(rows).toEqual([
    ['2024-01-05', 'USD', 'RWF', 1268.25],
    ['2024-01-04', 'USD', 'RWF', 1267.5],
    ['2024-01-04', 'BIF', 'RWF', 0.490858],
  ]);
  expect(requests).toHaveLength(16);
  expect(requests[0]?.query.toString()).toBe('currency_name=USD&start_date=2024-01-04&end_date=2024-01-05');
});

test('empty lists are an empty window', async () => {
  expect((await readFeed(feed, '2026-05-23..2026-05-24', { [PLACE]: '[]' })).rows).toEqual([]);
});

test('corrupt and missing records are left out, the others read', async () => {
  const { rows } = await readFeed(feed, '2026-05-18..2026-05-22', {
    [PLACE]: history(
      ['USD', '1463.065', '19-May-26'],
      ['USD', '20-May-26', '20-May-26'],
      ['USD', '1463.1', '2026'],
      ['USD', undefined, '21-May-26'],
      ['USD', '1463.2', undefined],
      ['EUR', '0', '19-May-26'],
    ),
  });
  expect(rows).toEqual([['2026-05-19', 'USD', 'RWF', 1463.065]]);
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['an object', '{"detail":"error"}', /documented form/],
  ['fields of other names', '[{"currency":"USD","average":"1463","date":"2026-05-19"}]', /0 of 1 records/],
  ['an answer without one readable record', history(['USD', 'n/a', '19-May-26']), /0 of 1 records/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-19..2026-05-22', { [PLACE]: answer })).rejects.toThrow(message);
});
