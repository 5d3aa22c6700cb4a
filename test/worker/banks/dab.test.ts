import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/dab.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.dab.gov.af/exchange-rates';
const HEADER = ['Currency', 'Cash (Sell)', 'Cash (Buy)', 'Transfer (Sell)', 'Transfer (Buy)'];
const table = (rows: string[][], header = HEADER) =>
  `<div class="table-responsive"><table class="table table-striped text-center"><thead><tr>${header
    .map((label) => `<th>${label}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('')}</tbody></table></div>`;
const averages = `<div class="d-md-flex"><div class="mb-2"><h2 class="mb-0">Average Rates</h2></div></div>${table(
  [['USD$', '1', '1', '64.7835', '64.6835']],
)}`;
const page = (day: string, rates: string) =>
  `<main><div class="d-md-flex"><h2>Exchange Rates</h2><input name="field_date_value" value="${day}"></div>${rates}${averages}</main>`;
const price = (label: string, selling: string, buying: string) => [label, '9', '9', selling, buying];

test('the middle of transfers in afghanis for one unit, ten rials to the toman', async () => {
  const { rows, dropped, requests } = await readFeed(feed, '2026-05-18..2026-05-18', {
    [PLACE]: page(
      '2026-05-18',
      table([
        price('USD$', '64.0267', '63.9267'),
        price('EURO€', '1,073.7838', '1,073.5238'),
        price('IRAN  Toman', '0.0008', '0.0004'),
        price('PAKISTAN Rs.', '0.2300', ''),
        price('SWISS₣', '81.5', '0'),
        price('YEN¥', '0.4', '0.4'),
        [''],
      ]),
    ),
  });
  expect(rows).toEqual([
    ['2026-05-18', 'USD', 'AFN', 63.9767],
    ['2026-05-18', 'EUR', 'AFN', 1073.6538],
    ['2026-05-18', 'IRR', 'AFN', 0.00006],
  ]);
  expect(dropped).toEqual({ malformed: 2 });
  expect(requests[0]?.query.get('field_date_value')).toBe('2026-05-18');
});

test('every day is asked for, and one without rates says so', async () => {
  const { rows, requests } = await readFeed(feed, '2026-05-21..2026-05-23', {
    [PLACE]: page('2026-05-22', '<p>There were\n no results</p>'),
  });
  expect(rows).toEqual([]);
  expect(requests).toHaveLength(3);
});

const usd = [price('USD$', '64.0267', '63.9267')];
test.each([
  ['a blocked page', blockedPage, /no field_date_value: blocked/],
  ['the table of averages alone', page('2026-05-18', ''), /no table/],
  [
    'the rates of another day',
    page('2026-05-17', table(usd)),
    /responded with the rates of 2026-05-17, not 2026-05-18/,
  ],
  [
    'a table of other columns',
    page('2026-05-18', table(usd, ['Currency', 'Sell', 'Buy'])),
    /no row of the div\.table-responsive table\.table-striped has the headings/,
  ],
  ['other labels', page('2026-05-18', table([price('US Dollar', '64', '63')])), /0 of 1 records give a rate/],
  [
    'prices that are no numbers',
    page('2026-05-18', table([price('USD$', '-', '-')])),
    /0 of 1 records give a rate/,
  ],
])('%s is an error', async (_, answer, message) => {
  await expect(readFeed(feed, '2026-05-18..2026-05-18', { [PLACE]: answer })).rejects.toThrow(message);
});
