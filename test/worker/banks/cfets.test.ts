import { feed } from '../../../worker/banks/cfets.js';
import { casesOf } from './cases.js';

const LABELS = ['USD/CNY', '100JPY/CNY', 'CNY/KRW', 'CNY/100KRW'];
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
reads('each pair in the direction of its label, over all pages; no other label', {
  given: [
    answer([['2026-09-04', ['6.7787', '4.3135', '202.07', '1']]], { total: 2, pageTotal: 2 }),
    answer([['2026-09-01', ['6.78', '---', '202', '1']]], { total: 2, pageTotal: 2 }),
  ],
  rates: [
    '2026-09-04 USD/CNY 6.7787, JPY/CNY 0.043135, CNY/KRW 202.07',
    '2026-09-01 USD/CNY 6.78, CNY/KRW 202',
  ],
  skipped: { 'no rate': 1, 'unknown name': 2 },
  asks: ['pageNum=1 & ', 'pageNum=2'],
});
nothing('a window without a trading day is an empty list', answer([]));
refuses([
  ['a refusal', answer(null, { flagMessage: '只能查询一年' }), /只能查询一年/],
  ['a day that is missing', answer([['2026-09-04', ['1', '2', '3', '4']]], { total: 2 }), /1 of 2 days/],
  ['values that fit no label', answer([['2026-09-04', ['1', '2']]]), /another number of values/],
]);
