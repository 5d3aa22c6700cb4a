import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/bomu.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const PLACE = 'GET www.bom.mu/markets/foreign-exchange/consolidated-indicative-exchange-rates';
const DAYS = '2026-09-01..2026-09-02';
const CLASSES = ['field-currency', 'php', 'php-1', 'php-3', 'field-transaction-date'].map((name) =>
  name.startsWith('field') ? `views-field-field-${name.slice(6)}` : `views-field-${name}`,
);
const cells = (tag: string, texts: string[]) =>
  texts
    .map((text, at) => `<${tag} class="views-field ${CLASSES[at]} views-align">\n ${text}\t</${tag}>`)
    .join('');
const HEADINGS = ['Code', 'T.T', 'D.D', 'T.T/D.D', 'Date'];
const view = (content: string) =>
  `<html><body><nav>\0</nav><div class="view view-display-id-page">${content}</div><div class="view view-display-id-attachment"><table><tr class="tblConso"><td>GBP</td></tr></table></div></body></html>`;
const table = (rows: string[][], headings = HEADINGS) =>
  view(
    `<div class="view-content"><div class="table-responsive"><table><thead><tr><th colspan="2">Buying</th></tr><tr>${cells('th', headings)}</tr></thead><tbody>${rows
      .map((row) => `<tr class="odd tblConso">${cells('td', row)}</tr>`)
      .join('')}</tbody></table></div></div>`,
  );

test('the middle of the rates for transfers', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [PLACE]: table([
      ['AUD 1', '21.6000', '21.4000', '22.2900', '01-09-2026'],
      ['JPY 100', '26.9610', '26', '27.8600', '01-09-2026'],
      ['GBP 1', '', '1', '60.1', '02-09-2026'],
    ]),
  });
  expect(rows).toEqual([
    ['2026-09-01', 'AUD', 'MUR', 21.945],
    ['2026-09-01', 'JPY', 'MUR', 0.274105],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(requests[0]?.query.get('field_transaction_date_value_1[value][date]')).toBe('02-09-2026');
});

test('a view without content is an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [PLACE]: view('') })).toMatchObject({
    rows: [],
    noData: ['the view has no content, as for a window without rates'],
  });
});

test.each([
  ['a blocked page', blockedPage, /no view of rates/],
  [
    'a changed layout',
    table([], ['Code', 'T.T/D.D', 'D.D', 'T.T', 'Date']),
    /column buying is headed T.T\/D.D/,
  ],
  ['a table without rows', table([]), /no records that hold a rate/],
  ['a day that is none', table([['AUD 1', '21', '21', '22', 'soon']]), /not a date/],
  ['another day', table([['AUD 1', '21', '21', '22', '01-09-2020']]), /other days/],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, { [PLACE]: given })).rejects.toThrow(message);
});
