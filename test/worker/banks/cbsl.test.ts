import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbsl.js';
import { blockedPage, readFeed } from '../feeds/support.js';

const FORM = 'GET www.cbsl.gov.lk/cbsl_custom/exrates/exrates.php';
const RESULT = 'POST www.cbsl.gov.lk/cbsl_custom/exrates/exrates_results.php';
const form = (...values: string[]) =>
  `<form>${values.map((value) => `<input name="chk_cur[]" value="${value}" type="checkbox">`).join('')}</form>`;
const table = (code: string, body: string) =>
  `<h2 id="LOOKUPS_IEXE0101"> A currency </h2><table class="table rates"><thead><tr class="odd">	<th>Date</th>	<th>1  ${code}  -&gt; LKR</th>	<th>1 LKR -&gt;  ${code} </th></tr></thead><tbody>${body}</tbody></table>`;
const day = (...cells: string[]) => `<tr>${cells.map((cell) => `<td> ${cell} </td>`).join('')}</tr>`;
const currencies = form('USD~US Dollar', 'MYR~Malaysia  Ringgit', 'XAU~Gold (per Troy oz.)');
const read = (answer: Parameters<typeof readFeed>[2][string], days = '2025-05-15..2025-05-19') =>
  readFeed(feed, days, { [FORM]: currencies, [RESULT]: answer });

test('rupees for one unit and for a troy ounce of gold, all currencies in one request', async () => {
  const { rows, dropped, requests } = await read(
    table(
      'USD',
      day('2025-05-19', '298.8165', '0.0033') + day('2025-05-16', '0.0000', '0.0') + day('total'),
    ) +
      table('MYR', '0 results') +
      table('XAU', day('2025-05-19', '963884.9136', '0.0000')),
  );
  expect(rows).toEqual([
    ['2025-05-19', 'USD', 'LKR', 298.8165],
    ['2025-05-19', 'XAU', 'LKR', 963884.9136],
  ]);
  expect(dropped).toEqual({ malformed: 1 });
  expect(requests[1]?.form.getAll('chk_cur[]')).toEqual([
    'USD~US Dollar',
    'MYR~Malaysia  Ringgit',
    'XAU~Gold (per Troy oz.)',
  ]);
  expect(requests[1]?.body).toMatch(/rangeType=dates&txtStart=2025-05-15&txtEnd=2025-05-19&/);
});

test('no more than 365 days a request; "0 results" is a window without days', async () => {
  const { rows, requests } = await read(table('USD', '0 results'), '2024-05-15..2025-05-19');
  expect(rows).toEqual([]);
  expect(requests.slice(1).map(({ form }) => form.get('txtEnd'))).toEqual(['2025-05-14', '2025-05-19']);
});

test('a form without currencies is an error', async () => {
  await expect(readFeed(feed, '2025-05-15..2025-05-19', { [FORM]: blockedPage })).rejects.toThrow(
    /lists no currency/,
  );
});

test.each([
  ['a blocked page', blockedPage, /0 tables "1 XXX -> LKR"/],
  [
    'tables with the columns exchanged',
    table('USD', '').replace('1  USD  -&gt; LKR', 'x'),
    /a table headed ".*", not "1 XXX -> LKR"/,
  ],
  ['cells that are no numbers', table('USD', day('2025-05-19', 'n/a', 'n/a')), /0 of \d+ records/],
])('%s is an error', async (_, answer, message) => {
  await expect(read(answer)).rejects.toThrow(message);
});
