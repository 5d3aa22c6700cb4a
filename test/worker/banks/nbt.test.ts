import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbt.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.nbt.tj/en/kurs/export_xml.php';
const entry = (code: string, nominal: string, value: string) =>
  `<Valute ID="810"><CharCode>${code}</CharCode><Nominal>${nominal}</Nominal><Value>${value}</Value></Valute>`;
const table = (date: string, ...entries: string[]) =>
  `<?xml version="1.0" encoding="utf-8" ?><ValCurs Date="${date}" name="Market">${entries.join('')}</ValCurs>`;

test('somoni for one unit, every day of the week, odd entries left out', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-17..2026-05-18', {
    [PLACE]: [
      table('2026-05-17', entry('RUB', '1', '0.1277')),
      table(
        '2026-05-18',
        entry('KRW', '100', '0.6183'),
        entry('EUR', '1', '-'),
        entry('USD', '1.5', '0'),
        entry('', '1', '2'),
      ),
    ],
  });
  expect(rows).toEqual([
    ['2026-05-17', 'RUB', 'TJS', 0.1277],
    ['2026-05-18', 'KRW', 'TJS', 0.006183],
  ]);
  expect(requests.map(({ query }) => query.toString())).toEqual([
    'date=2026-05-17&export=xmlout',
    'date=2026-05-18&export=xmlout',
  ]);
});

test('a table of another day, and one without entries, have no rows', async () => {
  const { rows } = await readFeed(feed, '2000-12-31..2001-01-01', {
    [PLACE]: [table('2026-05-18', entry('RUB', '1', '0.1277')), table('2001-01-01')],
  });
  expect(rows).toEqual([]);
});

test.each([
  ['a blocked page', blockedPage, /ValCurs|HTML page/],
  ['another root', '<?xml version="1.0"?><Error/>', /Error/],
  ['a table without its date', '<?xml version="1.0"?><ValCurs/>', /no date where YYYY-MM-DD is expected/],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-18..2026-05-18', { [PLACE]: answer })).rejects.toThrow(message);
});

test('a table of another day costs itself', async () => {
  const { rows, unread } = await readFeed(feed, '2026-05-17..2026-05-18', {
    [PLACE]: [
      table('2026-05-16', entry('RUB', '1', '0.1276')),
      table('2026-05-18', entry('RUB', '1', '0.1277')),
    ],
  });
  expect(rows).toEqual([['2026-05-18', 'RUB', 'TJS', 0.1277]]);
  expect(unread).toEqual([expect.stringMatching(/^2026-05-17..2026-05-17 .*the table of 2026-05-16/)]);
});
