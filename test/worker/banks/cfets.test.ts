import { feed } from '../../../worker/banks/cfets.js';
import { casesOf } from './cases.js';

const LABELS = ['USD/CNY', '100JPY/CNY', 'CNY/KRW'];
const answer = (
  records: [string, string[]][] | null,
  { total = records?.length ?? 0, pageTotal = 1, head = LABELS, flagMessage = '' } = {},
) =>
  JSON.stringify({
    data: { head, total, pageTotal, searchlist: head, flagMessage },
    records: records?.map(([date, values]) => ({ date, values })),
  });
const PLACE = 'POST www.chinamoney.com.cn/ags/ms/cm-u-bk-ccpr/CcprHisNew';
const { reads, nothing, refuses } = casesOf(feed, '2026-09-01..2026-09-04', PLACE);
reads('each pair in the direction of its label, over all pages', {
  given: [
    answer([['2026-09-04', ['6.7787', '4.3135', '202.07']]], { total: 2, pageTotal: 2 }),
    answer([['2026-09-01', ['6.78', '---', '202']]], { total: 2, pageTotal: 2 }),
  ],
  rates: [
    '2026-09-04 USD/CNY 6.7787, JPY/CNY 0.043135, CNY/KRW 202.07',
    '2026-09-01 USD/CNY 6.78, CNY/KRW 202',
  ],
  skipped: { 'no rate': 1 },
  asks: ['pageNum=1 & ', 'pageNum=2'],
});
reads('a label in another form is counted', {
  given: answer([['2026-09-04', ['6.7787', '1']]], { head: ['USD/CNY', 'CNY/100KRW'] }),
  rates: ['2026-09-04 USD/CNY 6.7787'],
  skipped: { 'unknown name': 1 },
});
nothing('a window without a trading day is an empty list', answer([]));
refuses([
  ['a refusal', answer(null, { flagMessage: '只能查询一年' }), /只能查询一年/],
  ['a changed layout', answer([]).replace('"head"', '"labels"'), /data\.head/],
  ['a day that is missing', answer([['2026-09-04', ['1', '2', '3']]], { total: 2 }), /1 of 2 days/],
  ['values that fit no label', answer([['2026-09-04', ['1', '2']]]), /another number of values/],
  ['a figure that is none', answer([['2026-09-04', ['x', 'x', 'x']]]), /not a number/],
]);
