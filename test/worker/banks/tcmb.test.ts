import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/tcmb.js';
import { CredentialsRefused } from '../../../worker/feeds/feed.js';
import { type Answer, type Answers, blockedPage, readFeed } from '../feeds/support.js';

const CURRENCIES =
  'AED AUD AZN CAD CHF CNY DKK EUR GBP JPY KRW KWD KZT NOK PKR QAR RON RUB SAR SEK USD'.split(' ');
const SERIES = CURRENCIES.map((code) => `TP.DK.${code}.A.YTL-TP.DK.${code}.S.YTL`).join('-');
// The parameters are part of the path.
const place = (from: string, to: string) =>
  `GET /igmevdsms-dis/series=${SERIES}&startDate=${from}&endDate=${to}&type=json&frequency=1`;
const BLANKS = Object.fromEntries(
  CURRENCIES.flatMap((code) => ['A', 'S'].map((side) => [`TP_DK_${code}_${side}_YTL`, null])),
);
const items = (...days: object[]) =>
  JSON.stringify({
    totalCount: 2,
    items: [...days, { Tarih: '02-03-2026' }].slice(0, 2).map((day) => ({ ...BLANKS, ...day })),
  });
const bank = (answer: Answer): Answers => ({ [place('01-03-2026', '02-03-2026')]: answer });

test('midpoints, the yen for one', async () => {
  const { rows, requests } = await readFeed(
    feed,
    '2026-03-01..2026-03-02',
    bank(
      items(
        { Tarih: '01-03-2026', TP_DK_USD_A_YTL: null, TP_DK_USD_S_YTL: null },
        {
          Tarih: '02-03-2026',
          TP_DK_USD_A_YTL: '43.80000000',
          TP_DK_USD_S_YTL: '43.87890000',
          TP_DK_JPY_A_YTL: '28.00720000',
          TP_DK_JPY_S_YTL: '28.19270000',
          TP_DK_EUR_A_YTL: '51.7',
          TP_DK_EUR_S_YTL: null,
          UNIXTIME: { $numberLong: '1772398800' },
        },
      ),
    ),
  );
  expect(rows).toEqual([
    ['2026-03-02', 'JPY', 'TRY', 0.2809995],
    ['2026-03-02', 'USD', 'TRY', 43.83945],
  ]);
  expect(requests[0]?.headers.key).toBe('<TCMB_API_KEY>');
});

test('days of nulls are an empty window', async () => {
  const { rows } = await readFeed(
    feed,
    '2026-03-01..2026-03-02',
    bank(items({ Tarih: '01-03-2026', TP_DK_USD_A_YTL: null })),
  );
  expect(rows).toEqual([]);
});

test('a refused key is told apart', async () => {
  await expect(readFeed(feed, '2026-03-01..2026-03-02', bank({ status: 403, body: '{}' }))).rejects.toThrow(
    CredentialsRefused,
  );
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['another form', '{"totalCount":1}', /items/],
  ['an answer cut short', '{"totalCount":2,"items":[{"Tarih":"01-03-2026"}]}', /cut short/],
  ['a date in another form', items({ Tarih: '2026-03-01' }), /not a date/],
  [
    'a value that is no number',
    items({ Tarih: '02-03-2026', TP_DK_USD_A_YTL: 'x', TP_DK_USD_S_YTL: '1' }),
    /not a number/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-03-01..2026-03-02', bank(answer))).rejects.toThrow(message);
});
