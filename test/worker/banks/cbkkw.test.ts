import { expect, test } from 'vitest';
import { feed } from '../../../worker/banks/cbkkw.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const SITE = 'www.cbk.gov.kw/en/monetary-policy/market-operations/exchange-rates';
const [FORM, PLACE] = [`GET ${SITE}/usd`, `POST ${SITE}/get-exchange-rates`];
const DAYS = '2026-09-06..2026-09-08';
const form = (...options: string[]) =>
  `<!DOCTYPE html><html><body><form><input id="formId" name="formId" type="hidden" value="127906" /><select><option value="" selected>Select</option>${options
    .map((value) => `<option value="${value}">x</option>`)
    .join('')}</select></form></body></html>`;
const table = (heading: string, ...rows: [string, string][]) =>
  `<div><script type="application/json" id="currencyJSON">{"dataSet": []}</script><table><thead><tr><th>Date</th><th>${heading}</th></tr></thead><tbody>\n${rows
    .map(([day, figure]) => `<tr><td>${day}</td><td>${figure}</td></tr>`)
    .join('')}\n</tbody></table></div>`;
const byCurrency =
  (answers: Record<string, string>): Answer =>
  (request) =>
    answers[request.form.get('selCurrency')?.slice(0, 3) ?? ''] ?? { status: 500 };

test('fils for one unit, asked for from the day before', async () => {
  const { rows, skipped, requests } = await readFeed(feed, DAYS, {
    [FORM]: form('USD:1', 'USD:128735', 'JPY:2', 'ECS:3', 'VEF:4'),
    [PLACE]: byCurrency({
      USD: table('KWD / USD', ['06.09.2026', '306.850'], ['08.09.2026', '0']),
      JPY: table('KWD / Japanese Yen', ['07.09.2026', '1.9980']),
      VEF: table('KWD / VEF'),
    }),
  });
  expect(rows).toEqual([
    ['2026-09-06', 'USD', 'KWD', 0.30685],
    ['2026-09-07', 'JPY', 'KWD', 0.001998],
  ]);
  expect(skipped).toEqual({ 'no rate': 1 });
  expect(requests.map(({ form }) => form.get('selCurrency'))).toEqual([null, 'USD:128735', 'JPY:2', 'VEF:4']);
  expect(requests[1]?.form.get('txtDateFrom')).toBe('05/09/2026');
});

test('tables without rows are an empty window', async () => {
  expect(await readFeed(feed, DAYS, { [FORM]: form('USD:1'), [PLACE]: table('KWD / USD') })).toMatchObject({
    rows: [],
    noData: ['a table without rows, as for a weekend or a currency that ended'],
  });
});

test('a row without a figure is malformed, and nothing but such rows is an error', async () => {
  const good: [string, string] = ['06.09.2026', '306.850'];
  const blank: [string, string] = ['07.09.2026', ''];
  const read = (...rows: [string, string][]) =>
    readFeed(feed, DAYS, { [FORM]: form('USD:1'), [PLACE]: table('KWD / USD', ...rows) });
  expect(await read(good, blank)).toMatchObject({
    rows: [['2026-09-06', 'USD', 'KWD', 0.30685]],
    dropped: { malformed: 1 },
  });
  await expect(read(blank)).rejects.toThrow(/0 of 1 records give a rate/);
  await expect(read(['', ''], ['', ''])).rejects.toThrow(/0 of 2 records give a rate/);
});

test.each<[string, Record<string, Answer>, RegExp]>([
  ['a blocked page', { [FORM]: blockedPage }, /formId/],
  ['a form without currencies', { [FORM]: form() }, /no currency/],
  ['a blocked page for an answer', { [FORM]: form('USD:1'), [PLACE]: blockedPage }, /no currencyJSON/],
  [
    'a changed layout',
    { [FORM]: form('USD:1'), [PLACE]: table('Rate', ['06.09.2026', '1']) },
    /columns are Date and Rate/,
  ],
  ['another currency', { [FORM]: form('USD:1'), [PLACE]: table('KWD / EUR') }, /it is of EUR, not USD/],
  [
    'one heading for two currencies',
    { [FORM]: form('USD:1', 'EUR:2'), [PLACE]: table('KWD / US Dollar', ['06.09.2026', '1']) },
    /it is of USD, not EUR/,
  ],
])('%s is an error', async (_, given, message) => {
  await expect(readFeed(feed, DAYS, given)).rejects.toThrow(message);
});
