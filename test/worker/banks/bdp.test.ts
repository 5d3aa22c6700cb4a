import { feed } from '../../../worker/banks/bdp.js';
import { casesOf } from './cases.js';

const DAYS = ['1998-12-30', '1998-12-31'];
type Values = [id: string, values: (number | null)[]];
type Label = [id: number, label: string];
/** A page: values by counterparty, labels for some of these in an order of their own. */
const page = (values: Values[], labels: Label[], more = false) =>
  JSON.stringify({
    version: '2.0',
    id: ['12', '13', 'reference_date'],
    size: [values.length, 1, DAYS.length],
    value: values.flatMap(([, row]) => row),
    dimension: {
      12: { label: 'Counterparty currency', category: { index: values.map(([id]) => id) } },
      13: { category: { index: ['794'] } },
      reference_date: { category: { index: DAYS } },
    },
    extension: {
      num_series: 705,
      series: labels.map(([category_id, label]) => ({
        label,
        dimension_category: [
          { dimension_id: 19, category_id: 14 },
          { dimension_id: 12, category_id },
        ],
      })),
      ...(more && { next_page: 'https://bpstat.bportugal.pt/elsewhere' }),
    },
  });
const dollar: Label = [826, 'US, Dollars (USD) against Escudo - daily'];
const guilder: Values = ['783', [90.982, 90.975]];
const empty = '{"value":[],"dimension":{},"extension":{"num_series":705,"series":[]}}';
const PLACE = 'GET bpstat.bportugal.pt/data/v1/domains/29/datasets/23e0cdd56bddb4ad3016a9c3ad63a539/';
const { reads, refuses } = casesOf(feed, '1998-12-30..1998-12-31', PLACE);
const asked = ['dim_cats=13:794', 'dim_cats=18:35', 'dim_cats=40:4263', 'obs_to=1998-12-31'];
reads('escudos for one unit, joined by id, a row without its label from the next page', {
  given: [
    page(
      [['826', [171.036, 171.829]], guilder, ['2777', [200.991, null]]],
      [[2777, 'ECU - Banco do Portugal (ECU) against Escudo - daily'], dollar],
      true,
    ),
    page([guilder], [[783, 'Netherlands, Guilder (NLG) against Escudo - daily']]),
  ],
  rates: [
    '1998-12-30 USD/PTE 171.036',
    '1998-12-31 USD/PTE 171.829',
    '1998-12-30 XEU/PTE 200.991, NLG/PTE 90.982',
    '1998-12-31 NLG/PTE 90.975',
  ],
  asks: [
    [...asked, 'page=1'],
    [...asked, 'page=2'],
  ],
});
reads('no dates, no values and no series are an empty window', {
  days: '1999-01-01..2005-01-01',
  given: empty,
  count: 2,
});
const LABEL = '{"label":"x (USD)","dimension_category":[]}';
refuses([
  ['values without dates', empty.replace('"value":[]', '"value":[1]'), /1 values/],
  ['labels without currencies', empty.replace('"series":[', `"series":[${LABEL}`), /1 labels/],
  ['labels without codes', page([['826', [171, 172]]], [[826, 'US Dollars']]), /0 codes/],
  ['fewer values than days', page([['826', [171]]], [dollar]), /1 values/],
  ['pages without end', page([['826', [171, 172]]], [dollar], true), /more than 100 pages/],
]);
