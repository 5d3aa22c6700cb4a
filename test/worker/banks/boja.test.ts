import { feed } from '../../../worker/banks/boja.js';
import { type Answer, casesOf } from './cases.js';

const PAGE = 'GET boj.org.jm/market/foreign-exchange/counter-rates/';
const nonce = (table: number, value: string) =>
  `<input type="hidden" id="wdtNonceFrontendServerSide_${table}" name="wdtNonceFrontendServerSide_${table}" value="${value}" />`;
const columns = ['date', 'currency', 'buying', 'notes', 'coins', 'selling'].map((origHeader) => ({
  origHeader,
}));
const page =
  nonce(118, 'e84dd79c8d') +
  nonce(134, '5a1cc1896f') +
  `<input type="hidden" id="table_2_desc" value='${JSON.stringify({ tableWpId: 134, columns })}' />`;
const rows = (...data: unknown[][]) => ({
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: JSON.stringify({ draw: 1, recordsTotal: '104868', data }),
});
const { reads, empty, refuses } = casesOf(
  feed,
  '2026-03-02..2026-03-03',
  (answer: Answer | { page: Answer }) =>
    typeof answer === 'object' && 'page' in answer
      ? { [PAGE]: answer.page }
      : { [PAGE]: page, 'POST boj.org.jm/wp-admin/admin-ajax.php': answer },
);
reads('the middle of buying transfers and selling, in the whole archive', {
  given: rows(
    ['27 Feb 2026', 'EURO', '1', '1', '0.0000', '1'],
    ['02 Mar 2026', 'U.S. DOLLAR', '155.3493', '147.5800', '127.5800', '157.2639'],
    ['02 Mar 2026', 'NORTHERN IRELAND POUND', '230.0', '205.9', '', '240.0'],
    ['02 Mar 2026', 'GREAT BRITAIN POUND', '209.1', '198.7', '', '211.3'],
    [' 02 Mar 2026 ', 'DOMINICAN REP. PESO ', '2.5355', '2.2800', '0.0000', '2.6059'],
    ['02 Mar 2026', 'T&#038;T DOLLAR', '22', '20', null, '24'],
    ['02 Mar 2026', 'BERMUDA DOLLAR', '155', '140', '', '157'],
    ['03 Mar 2026', 'EURO', '179.5600', '170.5800', '0.0000', '0.0000'],
    ['03 Mar 2026', 'SWISS FRANC', '', '170.5800', '0.0000', '190.1'],
    ['', 'EURO', '179.5600', '170.5800', '0.0000', '190.1'],
  ),
  rates: ['2026-03-02 USD/JMD 156.3066, GBP/JMD 210.2, DOP/JMD 2.5707, TTD/JMD 23'],
  sides: ['2026-03-02 USD/JMD 155.3493 157.2639'],
  asks: [[], 'action=get_wdtable&table_id=134 & draw=1&start=0&length=-1&wdtNonce=5a1cc1896f'],
});
empty('no rows in the window', rows(['27 Feb 2026', 'EURO', '1', '1', '', '1']));
refuses([
  ['a page without the nonce', { page: nonce(118, 'e84dd79c8d') }, /no hidden field .*_134/],
  ['an archive without rows', rows(), /documented form at data/],
]);
