import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bob.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bankofbotswana.bw/export/exchange-rates.csv';
const HEADER = '\ufeffDate,CHN,EUR,SDR,YEN';
const csv = (...lines: string[]) => ({ [PLACE]: [HEADER, ...lines].join('\n') });
const DAYS = '2019-08-12..2019-08-14';

test('one pula in each currency; of a day that comes twice the first counts', async () => {
  const { rows, requests } = await readFeed(
    feed,
    DAYS,
    csv(
      '"13 Aug 2019",0.6375,0.0807,0.0656,9.5700',
      '"14 Aug 2019",0.6300,,0.0655,9.6000',
      '"13 Aug 2019",0.7000,0.9000,1.0000,1.0000',
    ),
  );
  expect(rows).toEqual([
    ['2019-08-13', 'BWP', 'CNY', 0.6375],
    ['2019-08-13', 'BWP', 'EUR', 0.0807],
    ['2019-08-13', 'BWP', 'JPY', 9.57],
    ['2019-08-14', 'BWP', 'CNY', 0.63],
    ['2019-08-14', 'BWP', 'JPY', 9.6],
  ]);
  expect([...(requests[0]?.query ?? [])]).toEqual([
    ['page', ''],
    ['_format', 'csv'],
  ]);
});

test('zeros and other days are no rows, and a column may be missing', async () => {
  expect(
    (
      await readFeed(
        feed,
        DAYS,
        csv('"13 Aug 2019",0.0000,,0.0600,', '"09 Aug 2019",1.0000,1.0000,1.0000,1.0000'),
      )
    ).rows,
  ).toEqual([]);
  const { rows } = await readFeed(feed, DAYS, { [PLACE]: 'Date,ZAR\n"13 Aug 2019",1.3900' });
  expect(rows).toEqual([['2019-08-13', 'BWP', 'ZAR', 1.39]]);
});

test.each([
  ['a blocked page', { [PLACE]: blockedPage }, /HTML page/],
  ['a header without Date', { [PLACE]: 'Day,EUR\n"13 Aug 2019",0.08' }, /no line of headings: redesigned/],
  [
    'a file without the currencies',
    { [PLACE]: 'Date,SDR\n"13 Aug 2019",0.08' },
    /0 of 1 records give a rate; \d the SDR/,
  ],
  ['a cell that is no number', csv('"13 Aug 2019",n/a,,,'), /0 of 4 records give a rate; \d malformed/],
  ['a date in another form', csv('2019-08-13,1,,,'), /not a date/],
])('%s is an error', async (_, answers, message) => {
  await expect(readFeed(feed, DAYS, answers)).rejects.toThrow(message);
});
