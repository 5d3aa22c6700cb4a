import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/nbrb.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const TODAY = 'GET api.nbrb.by/exrates/rates';
const ALL = 'GET api.nbrb.by/exrates/currencies';
const series = (id: number) => `GET api.nbrb.by/exrates/rates/dynamics/${id}`;
const today = JSON.stringify([
  { Cur_ID: 456, Cur_Abbreviation: 'RUB', Cur_Scale: 100, Cur_OfficialRate: 3.67 },
]);
const rates = (id: number, ...days: [string, number][]) =>
  JSON.stringify(
    days.map(([day, rate]) => ({ Cur_ID: id, Date: `${day}T00:00:00`, Cur_OfficialRate: rate })),
  );

test('roubles for one unit, without weekends', async () => {
  const { rows, requests } = await readFeed(feed, '2026-03-06..2026-03-09', {
    [TODAY]: today,
    [series(456)]: rates(456, ['2026-03-06', 3.7488], ['2026-03-07', 3.7488], ['2026-03-09', 3.75]),
  });
  expect(rows).toEqual([
    ['2026-03-06', 'RUB', 'BYN', 0.037488],
    ['2026-03-09', 'RUB', 'BYN', 0.0375],
  ]);
  expect(requests.map(({ path }) => path)).not.toContain('/exrates/currencies');
});

test('days from before an id began are read under its earlier ids, with their own nominals', async () => {
  const former = {
    Cur_ID: 298,
    Cur_Abbreviation: 'RUB',
    Cur_Scale: 1000,
    Cur_Periodicity: 0,
    Cur_DateStart: '2016-07-01T00:00:00',
    Cur_DateEnd: '2021-07-08T00:00:00',
  };
  const { rows, requests } = await readFeed(
    feed,
    '2021-07-08..2021-07-09',
    {
      [TODAY]: today,
      [series(456)]: rates(456, ['2021-07-09', 3.4]),
      [ALL]: JSON.stringify([
        former,
        { ...former, Cur_ID: 1, Cur_DateEnd: '2020-01-01T00:00:00' },
        { ...former, Cur_ID: 2, Cur_Periodicity: 1 },
      ]),
      [series(298)]: rates(298, ['2021-07-08', 33]),
    },
    { today: '2026-03-17' },
  );
  expect(rows).toEqual([
    ['2021-07-09', 'RUB', 'BYN', 0.034],
    ['2021-07-08', 'RUB', 'BYN', 0.033],
  ]);
  expect(requests).toHaveLength(4);
});

test('currencies of the lists in another form are counted, and cost no others', async () => {
  const list = JSON.stringify([
    { Cur_ID: 456, Cur_Abbreviation: 'RUB', Cur_Scale: 100 },
    { Cur_ID: 431, Cur_Abbreviation: 'USD', Cur_Scale: 0 },
    { Cur_ID: 451, Cur_Scale: 1 },
  ]);
  const ended = {
    Cur_Abbreviation: 'BGN',
    Cur_Scale: 1,
    Cur_Periodicity: 0,
    Cur_DateEnd: '2025-12-31T00:00:00',
  };
  const { rows, dropped } = await readFeed(
    feed,
    '2025-12-30..2025-12-30',
    {
      [TODAY]: list,
      [ALL]: JSON.stringify([
        { ...ended, Cur_ID: 7, Cur_DateStart: '2016-07-01T00:00:00' },
        { ...ended, Cur_ID: 8, Cur_DateStart: '01.07.2016' },
      ]),
      [series(456)]: '[]',
      [series(7)]: rates(7, ['2025-12-30', 1.74]),
    },
    { today: '2026-03-17' },
  );
  expect(rows).toEqual([['2025-12-30', 'BGN', 'BYN', 1.74]]);
  expect(dropped).toEqual({ malformed: 3 });
});

test('the former rouble is not asked for', async () => {
  expect((await readFeed(feed, '2016-06-01..2016-06-30', {})).requests).toEqual([]);
});

test.each([
  ['a blocked page', { [TODAY]: blockedPage }, /HTML page/],
  ['an empty list', { [TODAY]: '[]' }, /documented form/],
  ['a nominal of nothing', { [TODAY]: today.replace('100', '0') }, /Cur_Scale/],
  ['an object for a series', { [TODAY]: today, [series(456)]: '{}' }, /documented form/],
  [
    'a row without its rate',
    { [TODAY]: today, [series(456)]: '[{"Cur_ID":456,"Date":"2026-03-06T00:00:00"}]' },
    /Cur_OfficialRate/,
  ],
  ['a series of another id', { [TODAY]: today, [series(456)]: rates(1, ['2026-03-06', 1]) }, /the id 1/],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, '2026-03-06..2026-03-09', answers)).rejects.toThrow(message);
});
