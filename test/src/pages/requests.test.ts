import { expect, test } from 'vitest';
import { conversionTarget, type Detail, SPANS, seriesTarget } from '../../../src/pages/shared/requests.js';
import { shownOf } from '../../../src/pages/shared/rows.js';
import { conversionSnippets, seriesSnippets } from '../../../src/pages/shared/snippets.js';

const request = { base: 'EUR', quote: 'USD', newest: '2026-03-20' };

test.each([
  ['5d', '/v2/rates?base=EUR&quotes=USD&from=2026-03-11&expand=providers'],
  ['1m', '/v2/rates?base=EUR&quotes=USD&from=2026-02-17&expand=providers'],
  ['1y', '/v2/rates?base=EUR&quotes=USD&from=2025-03-19&expand=providers'],
  ['all', '/v2/rates?base=EUR&quotes=USD&from=1914-01-01&group=month&expand=providers,stats'],
] as const)('the request of a series of %s', (span, target) => {
  expect(seriesTarget({ ...request, span })).toBe(target);
});

test('the request of a series asks for the sources only where they are wanted', () => {
  const of = (detail: Detail) => seriesTarget({ ...request, span: '5y' }, detail);
  expect(of('stats')).toMatch(/&group=week&expand=stats$/);
  expect(of('rate')).toMatch(/&group=week$/);
});

test('the request of a series of one provider does not ask for sources', () => {
  for (const span of SPANS) {
    const target = seriesTarget({ ...request, span, provider: 'ECB' });
    expect(target).toContain('&providers=ECB');
    expect(target).not.toContain('expand=providers');
  }
});

test('a conversion in all forms', () => {
  const request = { amount: '1.5', base: 'EUR', quote: 'USD', date: '2026-03-02' };
  expect(conversionTarget(request)).toBe('/v2/convert/EUR/USD?amount=1.5&date=2026-03-02');
  const snippets = conversionSnippets('http://here', request);
  const byName = Object.fromEntries(snippets.map(({ name, text }) => [name, text]));
  expect(Object.keys(byName).join()).toBe('URL,curl,Python,TypeScript,Google Sheets,Excel');
  const number = '"http://here/v2/rate/EUR/USD.txt?date=2026-03-02"';
  expect(byName['Google Sheets']).toBe(`=1.5*IMPORTDATA(${number})`);
  expect(byName.Excel).toBe(`=1.5*NUMBERVALUE(WEBSERVICE(${number}),".")`);
  expect(byName.curl).toBe("curl 'http://here/v2/convert/EUR/USD?amount=1.5&date=2026-03-02'");
});

test('a series for a spreadsheet is CSV', () => {
  const snippets = seriesSnippets('http://here', { ...request, span: '5y' });
  const formulas = snippets.slice(-2).map(({ text }) => text);
  const url = 'http://here/v2/rates.csv?base=EUR&quotes=USD&from=2021-03-16&group=week&expand=stats';
  expect(formulas).toEqual([`=IMPORTDATA("${url}")`, `=TEXTSPLIT(WEBSERVICE("${url}"),",",CHAR(10))`]);
});

test('what an amount has in it can not leave its quotes', () => {
  const [url, curl] = conversionSnippets('http://here', { amount: `1'"<`, base: 'EUR', quote: 'USD' });
  expect(url?.text).toBe('http://here/v2/convert/EUR/USD?amount=1%27%22%3C');
  expect(curl?.text.split("'")).toHaveLength(3);
});

test('a span of five days shows the last five rows', () => {
  const rows = [3, 1, 4, 1.5, 9, 2].map((rate, at) => ({ date: `2026-03-0${at + 1}`, rate }));
  expect(shownOf(rows, '5d')).toHaveLength(5);
  expect(shownOf(rows, '1m')).toHaveLength(6);
});
