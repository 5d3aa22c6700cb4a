import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/hmrc.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const place = (month: string) =>
  `GET www.trade-tariff.service.gov.uk/uk/api/exchange_rates/files/monthly_csv_${month}.csv`;
const HEADER = 'Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date\n';
const line = (code: string, figure: string, start = '01/08/2026') =>
  `"A, country",Name,${code},${figure},${start},31/08/2026\n`;
const AUGUST = '2026-08-01..2026-08-31';
const LATER = { today: '2026-11-01' };
const read = (given: Parameters<typeof readFeed>[2][string], days = AUGUST) =>
  readFeed(feed, days, { [place('2026-8')]: given }, LATER);

test('units for a pound under the first day of validity, the month ahead with them', async () => {
  const { rows, noData, requests } = await readFeed(
    feed,
    '2026-08-01..',
    {
      [place('2026-8')]:
        HEADER + line('AED', '4.9091') + line('AED', '4.9091') + line('TRY', '50', '15/08/2026'),
      [place('2026-9')]: HEADER + line('AED', '4.95', '01/09/2026'),
      [place('2026-10')]: { status: 404, body: '{"errors":[{"detail":"not found"}]}' },
    },
    { today: '2026-09-11' },
  );
  expect(rows).toEqual([
    ['2026-08-01', 'GBP', 'AED', 4.9091],
    ['2026-08-15', 'GBP', 'TRY', 50],
    ['2026-09-01', 'GBP', 'AED', 4.95],
  ]);
  expect(noData).toEqual(['404 as for the list of a month that is not out yet']);
  expect(requests).toHaveLength(3);
});

test('a list may be dated a month ahead', async () => {
  const answers = {
    [place('2026-8')]: HEADER + line('AED', '4.9'),
    [place('2026-9')]: HEADER + line('AED', '5', '01/09/2026'),
  };
  const { rows } = await readFeed(feed, '2026-08-01..', answers, { today: '2026-08-20' });
  expect(rows.at(-1)).toEqual(['2026-09-01', 'GBP', 'AED', 5]);
});

test('codes and units as they mean', async () => {
  const given = [
    line('VED', '1'),
    line('ZIG', '2'),
    line('SLE', '3'),
    line('STD', '27547.2'),
    line('AUD', '1.7842'),
    line('TOP', '1.7842'),
    line('ECS', '1.35'),
    line('XAF', ''),
  ];
  const { rows, skipped } = await read(HEADER + given.join(''));
  expect(rows.map(([, , quote, rate]) => [quote, rate])).toEqual([
    ['VES', 1],
    ['ZWG', 2],
    ['SLE', 3],
    ['STN', 27.5472],
    ['AUD', 1.7842],
  ]);
  expect(skipped).toEqual({
    "the Australian dollar's figure": 1,
    'the sucre, which ended in 2000: it is the US dollar': 1,
    'no rate': 1,
  });
  // The old leone of before March 2023: withdrawn for all sources when the new one came.
  const old = (month: string) => ({
    [place(`2022-${month}`)]: HEADER + line('SLE', '15631.1792', `01/${month.padStart(2, '0')}/2022`),
  });
  expect((await readFeed(feed, '2022-06-01..2022-06-30', old('6'), LATER)).rows).toEqual([
    ['2022-06-01', 'GBP', 'SLL', 15631.1792],
  ]);
  expect((await readFeed(feed, '2022-11-01..2022-11-30', old('11'), LATER)).dropped).toEqual({
    'after-end': 1,
  });
});

test('a window in which no rate begins is empty', async () => {
  expect(await read(HEADER + line('AED', '4.9'), '2026-08-02..2026-08-05')).toMatchObject({
    rows: [],
    noData: ['no rate of the month begins in the window'],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  [
    'a month of the past that is missing',
    { status: 404, body: '{"errors":[{"detail":"not found"}]}' },
    /404/,
  ],
  [
    'a changed layout',
    `${HEADER.replace('Start date', 'From')}${line('AED', '4.9')}`,
    /headings Currency Code/,
  ],
  ['a file without rows', HEADER, /no records that hold a rate/],
  ['a cut line', HEADER + line('AED', '4.9').slice(0, -14), /cut short/],
  ['a figure that is none', HEADER + line('AED', 'n/a'), /not a number/],
  ['a code that is none', HEADER + line('aed', '4.9'), /aed of 2026-08-01/],
  ['a day that is none', HEADER + line('AED', '4.9', '31/02/2026'), /not a date/],
  ['a day of another month', HEADER + line('AED', '4.9', '01/07/2026'), /AED of 2026-07-01/],
])('%s is an error', async (_, given, message) => {
  await expect(read(given)).rejects.toThrow(message);
});
