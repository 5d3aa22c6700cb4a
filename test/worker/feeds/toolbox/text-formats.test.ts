import { expect, test } from 'vitest';
import * as z from 'zod';
import { FeedError } from '../../../../worker/feeds/feed-error.js';
import type { HttpAnswer } from '../../../../worker/feeds/http/client.js';
import { csvFigures, csvLines, csvRecords } from '../../../../worker/feeds/toolbox/csv.js';
import { htmlPage } from '../../../../worker/feeds/toolbox/html.js';
import { parseJson, parseWholeJson } from '../../../../worker/feeds/toolbox/json.js';
import { pdfLines } from '../../../../worker/feeds/toolbox/pdf.js';
import { readWorkbook } from '../../../../worker/feeds/toolbox/workbook.js';
import { parseXml, XmlElement, xmlRoot } from '../../../../worker/feeds/toolbox/xml.js';
import { makePdf, makeXlsx } from '../support.js';
import { answerOf } from './answer.js';

const page = '<!DOCTYPE html><html><body>Access denied</body></html>';

test.each([
  ['CSV', 'a,b\n1,2\n3,4\n', csvLines],
  ['a JSON list', '[{"rate":1},{"rate":2}]', (answer: HttpAnswer) => parseJson(answer, z.unknown())],
  ['a JSON object', '{"rates":[{"rate":1}]} ', (answer: HttpAnswer) => parseJson(answer, z.unknown())],
  ['XML', '<rates><rate>1</rate></rates>\n', (answer: HttpAnswer) => xmlRoot(answer, 'rates')],
  ['a page', '<html><table><tr><td>1</td></tr></table></html>', htmlPage],
  ['a PDF', makePdf([{ x: 1, y: 1, text: 'a' }]), pdfLines],
  ['a workbook', makeXlsx({ Rates: [['USD', 1]] }), readWorkbook],
])('%s shows that it is cut short, and that a page came in its place', async (what, whole, read) => {
  const reading = async (body: string | Uint8Array) => read(answerOf(body));
  await expect(reading(whole)).resolves.toBeDefined();
  await expect(reading(whole.slice(0, whole.length / 2))).rejects.toThrow(FeedError);
  if (what !== 'a page') await expect(reading(page)).rejects.toThrow(FeedError);
});

test('CSV by the names of its columns, below titles, with a byte-order mark and stray quotes', () => {
  const rows = ['2026-03-02;"a;b";1,5', '2026-03-03;say "hi";', '2026-03-04;;'];
  const answer = answerOf(`\ufeffA title\r\n\r\nDAY;x;RATE\r\n${rows.join('\r\n')}\r\n`);
  const records = csvRecords(answer, ['RATE', 'DAY'], { separator: ';' });
  const figures = ['2026-03-02 1,5', '2026-03-03 ', '2026-03-04 '];
  expect(records.map(({ DAY, RATE }) => `${DAY} ${RATE}`)).toEqual(figures);
  expect(csvLines(answerOf('a\tb\n\nc\n'), { separator: '\t' })).toEqual([['a', 'b'], ['c']]);
});

test('names in CSV, JSON and XML that would reach a prototype stay plain', () => {
  const [record] = csvRecords(answerOf('__proto__,constructor,DAY\nx,y,2026-03-02\n'), ['DAY']);
  expect(record).toEqual({ DAY: '2026-03-02' });
  const rate = '{"code":"USD","rate":1.08,"__proto__":{"evil":1}}';
  const answer = answerOf(`{"rates":[${rate}],"__proto__":{"evil":1},"more":1}`);
  expect(parseJson(answer, form)).toEqual({ rates: [{ code: 'USD', rate: 1.08 }] });
  expect(Object.keys(parseJson(answer, z.unknown()) as object)).toEqual(['rates', 'more']);
  const xml = '<Rates><__proto__ evil="1"><evil>1</evil></__proto__><Rate __proto__="x">2</Rate></Rates>';
  try {
    expect(parseXml(xml, 'Rates', 'test').text('Rate')).toBe('2');
  } catch (error) {
    expect(String(error)).toContain("can't be read");
  }
  expect({}).not.toHaveProperty('evil');
  expect({}).not.toHaveProperty('x');
});

const NOTED = { note: 'Source' };
test('a CSV may end open, or with a note, where that is said', () => {
  const open = csvLines(answerOf('a,b\n1,2'), { endsOpen: true });
  expect(open.map((cells) => cells.join(' '))).toEqual(['a b', '1 2']);
  expect(csvLines(answerOf('a,b\r1,2\rSource: x\ry'), NOTED)).toEqual(open);
});

const [lines, noted] = [csvLines, (answer: HttpAnswer) => csvLines(answer, NOTED)];
const below = (answer: HttpAnswer) => csvRecords(answer, ['DAY', 'X']);
test.each<[what: string, text: string, read: (answer: HttpAnswer) => unknown, message: string]>([
  ['an open end', 'a,b\n1,2', lines, 'its last line does not end: cut short after 7 characters'],
  ['no note', 'a,b\n1,2\n', noted, 'no note "Source" below the table: cut short'],
  ['an endless cell', `a\n"${'x'.repeat(2 ** 21)}"\n`, lines, 'Max Record Size'],
  ['other columns', 'A,B\n1,2\n', below, 'no row of the CSV has the headings DAY, X'],
  ['a page', page, lines, 'HTML page where CSV was expected: blocked or moved'],
  ['a shorter line', 'DAY,X\n1,2\n3\n', below, 'a line of 1 cells under 2 headings: 3'],
])('a CSV with %s is an error', (_, text, read, message) => {
  expect(() => read(answerOf(text))).toThrow(message);
});

test('lines above the headings may be shorter', () => {
  expect(csvRecords(answerOf('title\nDAY,X\n1,2\n'), ['DAY', 'X'])).toEqual([{ DAY: '1', X: '2' }]);
});

test('figures of CSV below each line of headings', () => {
  const figures = (text: string, options = {}) => {
    const found = csvFigures(answerOf(text), ([first]) => first === 'DAY', options);
    return found.map(({ first, heading, cell }) => [first, heading, cell].join(' '));
  };
  expect(figures('DAY,USD\n1,2\nDAY,EUR,GBP\n3,4,5\n')).toEqual(['1 USD 2', '3 EUR 4', '3 GBP 5']);
  expect(figures('A title\nDAY,USD\n1,2\nNote\n', { note: 'Note' })).toEqual(['1 USD 2']);
  expect(() => figures('A title\nDAY,USD\n1,2\n')).not.toThrow();
  const none = 'no line of headings: redesigned ("x|y")';
  expect(() => figures('x,y\n')).toThrow(none);
  expect(() => figures('x,y\nDAY,USD\nNote\n', { note: 'Note' })).toThrow(none);
  const shorter = 'a line of 2 cells under 3 headings: 3|4';
  expect(() => figures('DAY,USD\n1,2\nDAY,EUR,GBP\n3,4\n')).toThrow(shorter);
});

const form = z.object({ rates: z.array(z.object({ code: z.string(), rate: z.number() })) });
const list = z.array(z.object({ code: z.string(), rate: z.number() })).min(1);
const month = z.object({ data: z.union([z.null(), z.object({ month: z.object({ unit: z.number() }) })]) });

test('a large JSON with a few odd elements is read without them', () => {
  const good = Array.from({ length: 60_000 }, () => ({ code: 'USD', rate: 1.08 }));
  const some = answerOf(JSON.stringify({ rates: [1, ...good, null, { code: 'EUR' }] }));
  expect(parseJson(some, form).rates).toHaveLength(good.length);
  expect(some.oddRecords).toHaveLength(3);
});

const ALL_ODD = /top level: Too small.*; without 2 odd elements, such as \{"code":"USD"\}: rate: .*number/;
const OTHER = /rates\?key=\*\*\*: not in its documented form at rates/;
test.each<[string, string, z.ZodType, RegExp]>([
  ['in another form', '{"rates":{"code":"USD"}}', form, OTHER],
  ['whose elements are all odd', '[{"code":"USD"},{"code":"EUR"}]', list, ALL_ODD],
  ['of several forms', '{"data":{"month":{}}}', month, /at data\.month\.unit: /],
  ['that is a page', page, form, /HTML page where JSON was expected/],
  ['that is none', 'oops', form, /responded with no JSON \("oops"\)/],
  ['of half a list', '[', form, /no JSON/],
  ['deep in itself', '['.repeat(1_000_000), form, /no JSON/],
  ['of elements without number', `[${'[],'.repeat(2_000_001)}[]]`, form, /more than 2000000/],
])('JSON %s is an error', (_, text, schema, message) => {
  expect(() => parseJson(answerOf(text), schema)).toThrow(message);
});

test('odd elements are left out of their lists, whichever they are, and quoted', () => {
  const days = z.array(z.object({ day: z.string(), rates: z.array(z.object({ rate: z.number() })) }));
  const [text, read] = [
    '[{"day":"a","rates":[{},{"rate":1},{"rate":"x"}]},{"rates":[]},{"day":"b","rates":[{"rate":2},7]}]',
    '[{"day":"a","rates":[{"rate":1}]},{"day":"b","rates":[{"rate":2}]}]',
  ];
  const answer = answerOf(text);
  expect(parseJson(answer, days)).toEqual(JSON.parse(read));
  const odd = [/^\{\}: rate: /, /^\{"rate":"x"\}: rate: /, /^\{"rates":\[\]\}: day: /, /^7: record: /];
  expect(answer.oddRecords).toEqual(odd.map((one) => expect.stringMatching(one)));
  const message = /not in its documented form: \{\}: rate: /;
  expect(() => parseWholeJson(answerOf(text), days)).toThrow(message);
  expect(parseWholeJson(answerOf('[]'), days)).toEqual([]);
});

test('JSON is checked again after each odd element, up to 64 MiB in all', () => {
  const read = (odd: number) => {
    const elements = Array.from({ length: 50 }, (_, at) => (at < odd ? null : 1));
    return parseJson(answerOf(JSON.stringify(elements).padEnd(2 ** 21)), z.array(z.number()));
  };
  expect(read(32)).toHaveLength(18);
  expect(() => read(33)).toThrow(/at 0: .*; without 32 odd elements, such as null: record: /);
});

test('XML of one element where one is expected, and as messages write it', () => {
  const root = xmlRoot(answerOf('<R a="1"><One>x</One><Two/><Two b="&gt;"/></R>'), 'R');
  expect(root.only('One').ownText).toBe('x');
  expect(() => root.only('Two')).toThrow('2 elements Two in R, where one is expected');
  expect(() => root.only('None')).toThrow('0 elements None in R, where one is expected');
  expect(root.toJSON()).toBe('<R a="1"><One>x</One><Two></Two><Two b=">"></Two></R>');
  expect(root.first('One')).toBeInstanceOf(XmlElement);
});

test('only what XML itself has is replaced', () => {
  const text = (inner: string) => xmlRoot(answerOf(`<a>${inner}</a>`), 'a').ownText;
  expect(text('&quot;&apos;&#x10FFFF;&nbsp;&#x41;')).toBe('"\'\u{10ffff}&nbsp;A');
});

test('XML by local names, with attributes, CDATA and characters written out', () => {
  const rate = '<Rate><Code> USD </Code><V><![CDATA[1<2&lt;]]></V></Rate><Rate/>';
  const xml = `<?xml version="1.0"?><n:Rates xmlns:n="x" n:Date="2 &amp; 3">${rate}a&#x41;&#66;&lt;</n:Rates>`;
  const root = xmlRoot(answerOf(xml), 'Rates');
  expect(root.attribute('Date')).toBe('2 & 3');
  expect(root.all('Rate')).toHaveLength(2);
  const texts = ['Rate/Code', 'Rate/V', 'Rate/Other'].map((path) => root.text(path));
  expect([...texts, root.ownText]).toEqual(['USD', '1<2&lt;', undefined, 'aAB<']);
});

test('XML in another charset than UTF-8', () => {
  const body = Buffer.from('<a>\xc8\xf0\xe0\xed</a>', 'latin1');
  expect(xmlRoot(answerOf(body, 'text/xml; charset=windows-1251'), 'a').ownText).toBe('Иран');
  expect(xmlRoot(answerOf(body, 'text/xml'), 'a', 'windows-1251').ownText).toBe('Иран');
});

const ENTITIES = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">';
const OUTSIDE = '<!ENTITY a SYSTEM "file:///etc/passwd">';
test.each([
  ['a page', page, /HTML page/],
  ['a page with an XML prolog', `<?xml version="1.0"?>${page}`, /document type/],
  ['another root', '<Error>no</Error>', /the root is Error, not Rates/],
  ['half a document', '<Rates><Rate>1</Rate>', /not well-formed/],
  ['nothing', '', /not well-formed|missing/],
  ['elements that never end', '<Rates>'.repeat(5000), /^.{0,300}not well-formed.{0,300}$/],
  ['a laugh repeated', `<!DOCTYPE l [${ENTITIES}]><Rates>&b;</Rates>`, /document type/],
  ['a file from outside', `<!DOCTYPE l [${OUTSIDE}]><Rates>&a;</Rates>`, /document type/],
  ['elements without end', '<Rates>'.repeat(5000) + '</Rates>'.repeat(5000), /can't be read/],
  ['elements without number', `<Rates>${'<b/>'.repeat(400_001)}</Rates>`, /more than 400000 tags/],
])('XML: %s is refused', (_, text, message) => {
  expect(() => xmlRoot(answerOf(text), 'Rates')).toThrow(message);
});
