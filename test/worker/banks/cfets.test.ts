import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cfets.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'POST www.chinamoney.com.cn/ags/ms/cm-u-bk-ccpr/CcprHisNew';
const DAYS = '2026-09-01..2026-09-04';
const LABELS = ['USD/CNY', '100JPY/CNY', 'CNY/KRW'];
const answer = (
  records: [string, string[]][] | null,
  { total = records?.length ?? 0, pageTotal = 1, head = LABELS, flagMessage = '' } = {},
) =>
  JSON.stringify({
    data: { head, total, pageTotal, searchlist: head, flagMessage },
    records: records?.map(([date, values]) => ({ date, values })),
  });

test('each pair in the direction of its label, over all pages', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [PLACE]: [
      answer([['2026-09-04', ['6.7787', '4.3135', '202.07']]], { total: 2, pageTotal: 2 }),
      answer([['2026-09-01', ['6.78', '---', '202']]], { total: 2, pageTotal: 2 }),
    ],
  });
  expect(rows).toEqual([
    ['2026-09-04', 'USD', 'CNY', 6.7787],
    ['2026-09-04', 'JPY', 'CNY', 0.043135],
    ['2026-09-04', 'CNY', 'KRW', 202.07],
    ['2026-09-01', 'USD', 'CNY', 6.78],
    ['2026-09-01', 'CNY', 'KRW', 202],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(requests.map(({ query }) => query.get('pageNum'))).toEqual(['1', '2']);
  expect(requests[0]?.body).toBe('');
});

test('a label in another form is counted', async () => {
  const given = answer([['2026-09-04', ['6.7787', '1']]], { head: ['USD/CNY', 'CNY/100KRW'] });
  expect(await readFeed(feed, DAYS, { [PLACE]: given })).toMatchObject({
    rows: [['2026-09-04', 'USD', 'CNY', 6.7787]],
    skipped: { 'unknown name': 1 },
  });
});

test('no records are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [PLACE]: answer([]) })).toMatchObject({
    rows: [],
    noData: ['a window without a trading day is an empty list'],
  });
});

test.each([
  ['a blocked page', blockedPage, /HTML page/],
  ['a refusal', answer(null, { flagMessage: '只能查询一年' }), /只能查询一年/],
  ['a changed layout', answer([]).replace('"head"', '"labels"'), /data\.head/],
  ['a day that is missing', answer([['2026-09-04', ['1', '2', '3']]], { total: 2 }), /1 of 2 days/],
  ['values that fit no label', answer([['2026-09-04', ['1', '2']]]), /another number of values/],
  ['a figure that is none', answer([['2026-09-04', ['x', 'x', 'x']]]), /not a number/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});
