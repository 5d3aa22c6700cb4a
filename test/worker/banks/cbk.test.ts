import { feed } from '../../../worker/banks/cbk.js';
import { casesOf } from './cases.js';

const table = (...data: string[][]) => ({
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body: JSON.stringify({ draw: 1, recordsTotal: String(data.length), data }),
});
const PLACE = 'POST www.centralbank.go.ke/wp-admin/admin-ajax.php';
const { reads, empty, refuses } = casesOf(feed, '2026-01-15..2026-01-16', PLACE);
reads('shillings for one unit, neighbours for one shilling', {
  given: table(
    ['16/01/2026', 'US DOLLAR', '129.5200'],
    ['16/01/2026', 'JPY (100)', '81.2000'],
    ['16/01/2026', 'KES / TSHS', '20.1100'],
    ['15/01/2026', ' Ken Shilling/ushs ', '27.4000'],
    ['15/01/2026', 'CAN $', '93.1'],
    ['15/01/2026', 'S FRANC', '0'],
    ['15/01/2026', 'AUS DOLLAR', '86.1'],
    ['15/01/2026', 'US DOLLAR', '129.0'],
    ['15/01/2026', 'US DOLLAR', '129.9'],
    ['14/01/2026', 'US DOLLAR', '129.0'],
  ),
  rates: [
    '2026-01-16 USD/KES 129.52, JPY/KES 0.812, KES/TZS 20.11',
    '2026-01-15 KES/UGX 27.4, CAD/KES 93.1, USD/KES 129',
  ],
  asks: ['action=get_wdtable&table_id=193 & draw=1&start=0&length=-1'],
});
reads('days before 2024-01-05 are in the former table, whose third column is the mean too', {
  given: [
    table(
      ['04/01/2024', 'US DOLLAR', '157.1', '157.0', '157.2'],
      ['04/01/2024', 'KES / USHS', '24.1', '24.2', '24.0'],
      ['05/01/2024', 'EURO', '172.1', '172', '173'],
    ),
    table(['05/01/2024', 'EURO', '172.9'], ['05/01/2024', 'US DOLLAR', '157.9012']),
  ],
  rates: ['2024-01-04 USD/KES 157.1, KES/UGX 24.1', '2024-01-05 EUR/KES 172.1, USD/KES 157.9012'],
  sides: ['2024-01-04 USD/KES 157 157.2', '2024-01-04 KES/UGX - -', '2024-01-05 USD/KES - -'],
  asks: ['table_id=32', 'table_id=193'],
});
empty('no rows in the window', table(['14/01/2026', 'EURO', '150.1']));
refuses([
  ['a table without rows', table(), /documented form at data/],
  ['the number of a refused action', '0', /documented form at top level/],
  ['two columns alone', table(['16/01/2026', 'EURO']), /1 malformed, .*: a row without three texts/],
]);
