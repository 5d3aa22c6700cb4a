import { feed } from '../../../worker/banks/cbkkw.js';
import { type Answer, blockedPage, casesOf, htmlRow, type SeenRequest } from './cases.js';

const SITE = 'www.cbk.gov.kw/en/monetary-policy/market-operations/exchange-rates';
const form = (...options: string[]) =>
  `<!DOCTYPE html><html><body><form><input id="formId" name="formId" type="hidden" value="127906" /><select><option value="" selected>Select</option>${options
    .map((value) => `<option value="${value}">x</option>`)
    .join('')}</select></form></body></html>`;
const table = (heading: string, ...rows: [string, string][]) =>
  `<div><script type="application/json" id="currencyJSON">{"dataSet": []}</script><table><thead>${htmlRow(['Date', heading], 'th')}</thead><tbody>\n${rows.map((row) => htmlRow(row)).join('')}\n</tbody></table></div>`;
type Given = readonly [page: Answer, answer?: Answer];
const { reads, nothing, refuses } = casesOf(feed, '2026-09-06..2026-09-08', ([page, answer]: Given) => ({
  [`GET ${SITE}/usd`]: page,
  [`POST ${SITE}/get-exchange-rates`]: answer ?? '',
}));
const tables: Readonly<Record<string, string>> = {
  USD: table('KWD / USD', ['06.09.2026', '306.850'], ['08.09.2026', '0']),
  JPY: table('KWD / Japanese Yen', ['07.09.2026', '1.9980']),
  VEF: table('KWD / VEF'),
};
reads('fils for one unit, asked for from the day before', {
  given: [
    form('USD:1', 'USD:128735', 'JPY:2', 'ECS:3', 'VEF:4'),
    (request: SeenRequest) => tables[request.form.get('selCurrency')?.slice(0, 3) ?? ''] ?? { status: 500 },
  ],
  rates: ['2026-09-06 USD/KWD 0.30685', '2026-09-07 JPY/KWD 0.001998'],
  skipped: { 'no rate': 1 },
  asks: [[], 'selCurrency=USD:128735 & txtDateFrom=05/09/2026', 'selCurrency=JPY:2', 'selCurrency=VEF:4'],
});
nothing('a table without rows, as for a weekend or a currency that ended', [
  form('USD:1'),
  table('KWD / USD'),
]);
const usd = (...given: Parameters<typeof table>) => [form('USD:1'), table(...given)] as const;
const dollars = table('KWD / US Dollar', ['06.09.2026', '1']);
refuses([
  ['a table of blanks', usd('KWD / USD', ['', ''], ['', '']), /0 of 2 records give a rate/],
  ['a form without currencies', [form()], /no currency/],
  ['a blocked page for an answer', [form('USD:1'), blockedPage], /no currencyJSON/],
  ['a changed layout', usd('Rate', ['06.09.2026', '1']), /columns are Date and Rate/],
  ['another currency', usd('KWD / EUR'), /it is of EUR, not USD/],
  ['one heading for two currencies', [form('USD:1', 'EUR:2'), dollars], /it is of USD, not EUR/],
]);
