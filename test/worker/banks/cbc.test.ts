import { feed } from '../../../worker/banks/cbc.js';
import { casesOf } from './cases.js';

const PAIRS =
  '新台幣NTD/USD,日圓JPY/USD,英鎊USD/GBP,港幣HKD/USD,韓元KRW/USD,加拿大幣CAD/USD,新加坡元SGD/USD,人民幣CNY/USD,澳幣USD/AUD,印尼盾IDR/USD,泰銖THB/USD,馬來西亞幣MYR/USD, 菲律賓披索PHP/USD,歐元USD/EUR,馬克DEM/USD,法國法郎FRF/USD,荷蘭幣NLG/USD,越南盾VND/USD'.split(
    ',',
  );
const table = (rows: string[][], labels = PAIRS) => ({
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: JSON.stringify({
    meta: { title: '銀行間' },
    data: { dataSets: rows, structure: { Table1: labels.map((data) => ({ data })) } },
  }),
});
/** A day's row: these values in their columns, counted from 1, and dashes. */
const row = (day: string, values: Record<number, string>) => [
  day,
  ...PAIRS.map((_, at) => values[at + 1] ?? '-'),
];
const PLACE = 'GET cpx.cbc.gov.tw/API/DataAPI/Get';
const { reads, empty, refuses } = casesOf(feed, '2026-02-02..2026-02-03', PLACE);
reads('each pair in its own direction', {
  given: table([
    row('20260130', { 1: '31.4' }),
    row('20260202', { 1: '31.590', 3: '1.3680', 9: '0.7', 14: '1.18', 18: '25973' }),
    row('20260203', { 13: '58.9', 2: '0' }),
  ]),
  rates: [
    '2026-02-02 USD/TWD 31.59, GBP/USD 1.368, AUD/USD 0.7, EUR/USD 1.18, USD/VND 25973',
    '2026-02-03 USD/PHP 58.9',
  ],
  asks: ['FileName=BP01D01'],
});
empty('days that are not there yet are an empty window', table([row('20260130', { 1: '31.4' })]));
const day = row('20260202', {});
refuses([
  ['an empty table', table([]), /dataSets/],
  ['a row with a column less', table([day.slice(1)]), /dataSets/],
  ['columns that have moved', table([day], [...PAIRS].reverse()), /column 1 is 越南盾VND\/USD/],
  ['a pair turned round', table([day], ['新台幣USD/NTD', ...PAIRS.slice(1)]), /not NTD\/USD/],
]);
