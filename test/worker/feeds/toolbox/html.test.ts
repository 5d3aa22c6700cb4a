import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FeedError } from '../../../../worker/feeds/feed-error.js';
import {
  clean,
  hiddenFields,
  htmlPage,
  linksOf,
  linkTo,
  tableCells,
  tableRecords,
} from '../../../../worker/feeds/toolbox/html.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { answerOf } from './answer.js';

const cellsOf = (body: string, selector = 'table') =>
  tableCells(htmlPage(answerOf(body)), selector, answerOf(body));
const recordsOf = (body: string, ...names: string[]) =>
  tableRecords(htmlPage(answerOf(body)), 'table', names, answerOf(body));

const HEADED = `<table id="r"><tr><th rowspan="2">Code</th><th colspan="2">2026</th></tr>
  <tr><th>Buy</th><th> S&nbsp;ell </th></tr><tr><td>USD</td><td>1</td><td>2</td></tr><tr></tr></table>`;
const BESIDE =
  '<table><tr><td rowspan="3">USD<td rowspan="2">dollar<td>1<tr><td>2<tr><td>Dollar<td>3</table>';
const BETWEEN = '<table><tr><td>a<td rowspan="2" colspan="2">b<td rowspan="2">c<td>d<tr><td>e<td>f</table>';
test.each([
  ['over rows and columns', HEADED, ['Code 2026 2026', 'Code Buy S_ell', 'USD 1 2', '']],
  ['over rows beside each other', BESIDE, ['USD dollar 1', 'USD dollar 2', 'USD Dollar 3']],
  ['in the middle and at the end', BETWEEN, ['a b b c d', 'e b b c f']],
  ['in rows whose tags are left open', '<table><tr><td>a<td>b<tr><td>c<td>d</table>', ['a b', 'c d']],
])('cells stand in every place they cover: %s', (_, body, rows) => {
  expect(cellsOf(body).map((cells) => cells.map((cell) => cell.replace(' ', '_')).join(' '))).toEqual(rows);
});

test('records by the headings of their columns, in any case', () => {
  const records = recordsOf(HEADED, 's ell', 'code').map((record) => [record['s ell'], record.code].join());
  expect(records).toEqual(['2,USD', ',']);
});

test('a table or a column that is not there says what the page is instead', () => {
  const body = '<html><body><h1>Request  blocked</h1><table><tr><td>x</td></tr></table></body></html>';
  expect(() => cellsOf(body, '#rates')).toThrow(/no table #rates .*Request blocked/);
  expect(() => recordsOf(body, 'Mean')).toThrow(/no row of the table has the headings Mean/);
});

test('hidden fields of a form, and one that is missing', () => {
  const answer = answerOf(`<input type="hidden" name="__VIEWSTATE" value="a+b/c=" />
    <INPUT TYPE=HIDDEN name='tk' value=''><input type="text" name="other" value="x">`);
  const fields = hiddenFields(htmlPage(answer), ['__VIEWSTATE', 'tk'], answer);
  expect(fields).toEqual({ __VIEWSTATE: 'a+b/c=', tk: '' });
  expect(() => hiddenFields(htmlPage(answer), ['other'], answer)).toThrow(/no hidden field other/);
});

test('links by their addresses', () => {
  const links = '<a href="/a-1.pdf">x</a><a name=y></a><a href="/b.pdf">x</a><a href="/a-2.pdf">x</a>';
  const answer = answerOf(links);
  expect(linksOf(htmlPage(answer), /^\/a-(\d)/).map((match) => match[1])).toEqual(['1', '2']);
  expect(linkTo(htmlPage(answer), /^\/a/, answer)).toBe('/a-1.pdf');
  expect(() => linkTo(htmlPage(answer), /xlsx$/, answer)).toThrow(/none of its 3 links/);
});

test('white space of every kind', () => {
  expect(clean(' \n\t Jan 02\u00a0\u00a02024\u200b ')).toBe('Jan 02 2024');
});

const wide = `<tr>${'<td colspan="1000">x</td>'.repeat(600)}</tr>`;
const LONG = '<tr><td>x</td></tr>'.repeat(3_000);
const huge = '<tr><td rowspan="999999999" colspan="99999999">x</td></tr>';
test.each([
  ['elements without number', '<i></i>'.repeat(300_000), /400000 tags/],
  ['a page without end', 'a'.repeat(4 * 1024 * 1024 + 1), /characters/],
  ['a table that spans a million cells', `<table>${huge.repeat(3)}</table>`, /1000000 cells/],
  ['a table as wide as it is long', `<table>${wide}${LONG}</table>`, /table of 3001 rows and 600000 columns/],
])('%s: refused', (_, text, message) => {
  expect(() => recordsOf(text, 'x')).toThrow(message);
});

const TAG = 'a tag, a comment or a script';
test.each([
  ['<html><script>"</html>"</script>', '<html>'],
  ['<html><!-- </html> -->', '<html>'],
  ['<html></html><TABLE>', '<table>'],
  ['<table></table><td', TAG],
  ['<table></table><td title="</td>', TAG],
  ['<table></table><!-- a', TAG],
  ['<table></table><script>"</scr', TAG],
])('%s is cut short', (text, where) => {
  expect(() => htmlPage(answerOf(text))).toThrow(`ends inside ${where}: the page is cut short`);
});

test.each([
  ['an end too many', '<table></table></table>'],
  ['a table that ends with what it stands in', '<html><div><table><tr><td>x</div></html>'],
])('a whole page with %s is read', (_, text) => {
  expect(htmlPage(answerOf(text))('table')).toHaveLength(1);
});

test('markup that parsers repair by repeating it stays as it is', () => {
  const marks = Array.from({ length: 500 }, (_, index) => `<b class="${index}">`).join('');
  expect(htmlPage(answerOf(`<p>${marks}x</p>${'<p>x</p>'.repeat(20_000)}`))('b')).toHaveLength(500);
});

/** What stands in a page beside its tables, with tags that are none. */
const disturbances = fc.constantFrom(
  '<script>document.write("<table><tr><td>" + "<html>");</script>',
  "<script type='text/template'></table></html></script>",
  '<style>/* <table> </html> */</style>',
  '<!-- <table> <html> -->',
  '<!-- </table> </html> -->',
  '<!--[if lt IE 9]><table><![endif]-->',
  '<!--[if !IE]><!--><p>x<!--<![endif]-->',
  '<![if !IE]><p>x<![endif]>',
  '<p title="<table>">a < b<br>',
  '<div><p>left open',
);
const cell = fc
  .tuple(disturbances, fc.boolean())
  .map(([inner, isPlain]) => (isPlain ? '<td>1' : `<td>${inner}</td>`));
const table = fc
  .array(fc.array(cell, { maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((rows) => `<TABLE class="t">${rows.map((cells) => `<tr>${cells.join('')}`).join('\n')}</TABLE>`);
const wholePages = fc
  .array(fc.tuple(disturbances, table), { minLength: 1, maxLength: 4 })
  .map((parts) => `<!DOCTYPE html>\n<html lang="en"><body>${parts.flat().join('\n')}`);

test('a page is read whole, and is an error wherever it was cut before the end of its last table', () => {
  fc.assert(
    fc.property(wholePages, disturbances, fc.double({ min: 0, max: 1, noNaN: true }), (body, last, share) => {
      const whole = `${body}${last}</body></html>`;
      expect(cellsOf(whole).length).toBeGreaterThan(0);
      for (const length of [share * body.length, body.length - 1, share * (whole.length - 1)])
        expect(() => cellsOf(whole.slice(0, Math.floor(length)))).toThrow(FeedError);
    }),
    propertyRuns(1000),
  );
});

test('a fragment without a document is an error wherever it was cut inside of a table', () => {
  fc.assert(
    fc.property(table, disturbances, fc.nat(), (body, before, at) => {
      const text = `${before}${body}`;
      const begin = before.length + '<TABLE'.length;
      const cut = answerOf(text.slice(0, begin + (at % (text.length - begin))));
      expect(() => htmlPage(cut)).toThrow(/the page is cut short/);
      expect(htmlPage(answerOf(text))('table.t')).toHaveLength(1);
    }),
    propertyRuns(1000),
  );
});
