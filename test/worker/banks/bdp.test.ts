import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bdp.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const WINDOW = '1998-12-30..1998-12-31';
const PLACE = 'GET bpstat.bportugal.pt/data/v1/domains/29/datasets/23e0cdd56bddb4ad3016a9c3ad63a539/';
const DAYS = ['1998-12-30', '1998-12-31'];

/** A page: values by counterparty, labels for some of these in an order of their own. */
const page = (
  values: [id: string, values: (number | null)[]][],
  labels: [id: number, label: string][],
  more = false,
) =>
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
const dollar: [number, string] = [826, 'US, Dollars (USD) against Escudo - daily'];
const empty = '{"value":[],"dimension":{},"extension":{"num_series":705,"series":[]}}';

test('escudos for one unit, joined by id, a row without its label from the next page', async () => {
  const guilder: [string, number[]] = ['783', [90.982, 90.975]];
  const { rows, requests } = await readFeed(feed, WINDOW, {
    [PLACE]: [
      page(
        [['826', [171.036, 171.829]], guilder, ['2777', [200.991, null]]],
        [[2777, 'ECU - Banco do Portugal (ECU) against Escudo - daily'], dollar],
        true,
      ),
      page([guilder], [[783, 'Netherlands, Guilder (NLG) against Escudo - daily']]),
    ],
  });
  expect(rows).toEqual([
    ['1998-12-30', 'USD', 'PTE', 171.036],
    ['1998-12-31', 'USD', 'PTE', 171.829],
    ['1998-12-30', 'XEU', 'PTE', 200.991],
    ['1998-12-30', 'NLG', 'PTE', 90.982],
    ['1998-12-31', 'NLG', 'PTE', 90.975],
  ]);
  expect(requests.map(({ query }) => query.get('page'))).toEqual(['1', '2']);
  for (const { path, query } of requests) {
    expect(`GET bpstat.bportugal.pt${path}`).toBe(PLACE);
    expect(query.getAll('dim_cats')).toEqual(['13:794', '18:35', '40:4263']);
    expect(query.get('obs_to')).toBe('1998-12-31');
  }
});

test('no dates, no values and no series are an empty window', async () => {
  const { rows, requests } = await readFeed(feed, '1999-01-01..2005-01-01', { [PLACE]: empty });
  expect(rows).toEqual([]);
  expect(requests).toHaveLength(2);
});

const odd: [string, Answer, RegExp][] = [
  ['a blocked page', blockedPage, /HTML page/],
  ['a list', '[]', /documented form/],
  ['no dimension', '{"value":[],"extension":{"series":[]}}', /dimension/],
  ['no values', '{"dimension":{},"extension":{"series":[]}}', /value/],
  ['no series', '{"dimension":{},"value":[],"extension":{}}', /extension\.series/],
  ['values without dates', empty.replace('"value":[]', '"value":[1]'), /1 values/],
  [
    'series without dates',
    empty.replace('"series":[]', '"series":[{"label":"x (USD)","dimension_category":[]}]'),
    /1 labels/,
  ],
  ['labels without codes', page([['826', [171, 172]]], [[826, 'US Dollars']]), /0 codes/],
  ['fewer values than days', page([['826', [171]]], [dollar]), /1 values/],
];
test.each(odd)('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, WINDOW, { [PLACE]: answer })).rejects.toThrow(message);
});

test('pages without end are an error', async () => {
  const endless = { [PLACE]: page([['826', [171, 172]]], [dollar], true) };
  await expect(readFeed(feed, WINDOW, endless)).rejects.toThrow(/more than 100 pages/);
});
