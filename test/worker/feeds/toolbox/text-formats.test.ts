import { expect, test } from 'vitest';
import { z } from 'zod';
import { CutShort, WrongDocument } from '../../../../worker/feeds/feed-error.js';
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

test('CSV by the names of its columns, below titles, with a byte-order mark and stray quotes', () => {
  const answer = answerOf(
    '\ufeffA title\r\n\r\nDAY;x;RATE\r\n2026-03-02;"a;b";1,5\r\n2026-03-03;say "hi";\r\n2026-03-04;;\r\n',
  );
  expect(csvRecords(answer, ['RATE', 'DAY'], { separator: ';' })).toEqual([
    { DAY: '2026-03-02', RATE: '1,5' },
    { DAY: '2026-03-03', RATE: '' },
    { DAY: '2026-03-04', RATE: '' },
  ]);
  expect(csvLines(answerOf('a\tb\n\nc\n'), { separator: '\t' })).toEqual([['a', 'b'], ['c']]);
});

test('CSV whose header would reach a prototype stays plain', () => {
  const [record] = csvRecords(answerOf('__proto__,constructor,DAY\nx,y,2026-03-02\n'), ['DAY']);
  expect(record).toEqual({ DAY: '2026-03-02' });
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test('CSV with other columns, and a page in its place', () => {
  expect(() => csvRecords(answerOf('A,B\n1,2\n'), ['DAY'])).toThrow(/no row of the CSV has the headings DAY/);
  expect(() => csvLines(answerOf(page))).toThrow(/HTML page where CSV was meant: blocked or moved/);
});

test('a CSV that does not end where it should is cut short', () => {
  expect(() => csvLines(answerOf('a,b\n1,2'))).toThrow(
    /its last line does not end: cut short after 7 characters/,
  );
  expect(csvLines(answerOf('a,b\n1,2'), { endsOpen: true })).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  const noted = { note: 'Source' };
  expect(csvLines(answerOf('a,b\r1,2\rSource: x\ry'), noted)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(() => csvLines(answerOf('a,b\n1,2\n'), noted)).toThrow(
    /no note "Source" below the table: cut short/,
  );
  expect(() => csvLines(answerOf(`a\n"${'x'.repeat(2 ** 21)}"\n`))).toThrow(
    /CSV that can't be read: .*Max Record Size/,
  );
});

test.each([
  ['CSV', 'a,b\n1,2\n3,4\n', csvLines],
  ['a JSON list', '[{"rate":1},{"rate":2}]', (answer: HttpAnswer) => answer.json()],
  ['a JSON object', '{"rates":[{"rate":1}]} ', (answer: HttpAnswer) => answer.json()],
  ['XML', '<rates><rate>1</rate></rates>\n', (answer: HttpAnswer) => xmlRoot(answer, 'rates')],
  ['a page', '<html><table><tr><td>1</td></tr></table></html>', htmlPage],
  ['a PDF', makePdf([{ x: 1, y: 1, text: 'a' }]), pdfLines],
  ['a workbook', makeXlsx({ Rates: [['USD', 1]] }), readWorkbook],
])('%s tells that it is cut short, and that a page came in its place', async (what, whole, read) => {
  const reading = async (body: string | Uint8Array) => read(answerOf(body));
  await expect(reading(whole)).resolves.toBeDefined();
  await expect(reading(whole.slice(0, whole.length / 2))).rejects.toThrow(CutShort);
  if (what !== 'a page') await expect(reading(page)).rejects.toThrow(WrongDocument);
});

test('lines of another number of cells than the headings are an error, but above them', () => {
  const records = (text: string) => csvRecords(answerOf(text), ['DAY', 'X']);
  expect(records('title\nDAY,X\n1,2\n')).toEqual([{ DAY: '1', X: '2' }]);
  expect(() => records('DAY,X\n1,2\n3\n')).toThrow('a line of 1 cells under 2 headings: 3');
});

test('figures of CSV below each line of headings', () => {
  const isHeading = ([first]: readonly string[]) => first === 'DAY';
  const figures = (text: string, form = {}) =>
    csvFigures(answerOf(text), isHeading, form).map(({ first, heading, cell }) =>
      [first, heading, cell].join(' '),
    );
  expect(figures('DAY,USD\n1,2\nDAY,EUR,GBP\n3,4,5\n')).toEqual(['1 USD 2', '3 EUR 4', '3 GBP 5']);
  expect(figures('A title\nDAY,USD\n1,2\nNote\n', { note: 'Note' })).toEqual(['1 USD 2']);
  expect(() => figures('A title\nDAY,USD\n1,2\n')).not.toThrow();
  expect(() => figures('x,y\n')).toThrow('no line of headings: redesigned ("x|y")');
  expect(() => figures('x,y\nDAY,USD\nNote\n', { note: 'Note' })).toThrow(
    'no line of headings: redesigned ("x|y")',
  );
  expect(() => figures('DAY,USD\n1,2\nDAY,EUR,GBP\n3,4\n')).toThrow(
    'a line of 2 cells under 3 headings: 3|4',
  );
});

const form = z.object({ rates: z.array(z.object({ code: z.string(), rate: z.number() })) });

test('JSON in its documented form, without keys that nobody asked for', () => {
  const answer = answerOf(
    '{"rates":[{"code":"USD","rate":1.08,"__proto__":{"evil":1}}],"__proto__":{"evil":1},"more":1}',
  );
  expect(parseJson(answer, form)).toEqual({ rates: [{ code: 'USD', rate: 1.08 }] });
  expect(({} as Record<string, unknown>).evil).toBeUndefined();
  expect(Object.keys(answer.json() as object)).toEqual(['rates', 'more']);
});

test('a large JSON in another form ends soon, and one with a few odd elements is read', () => {
  const good = Array.from({ length: 60_000 }, () => ({ code: 'USD', rate: 1.08 }));
  const some = answerOf(JSON.stringify({ rates: [1, ...good, null, { code: 'EUR' }] }));
  expect(parseJson(some, form).rates).toHaveLength(good.length);
  expect(some.oddRecords).toHaveLength(3);

  const bad = answerOf(`{"rates":[${Array(3_000_000).fill(1).join()}]}`);
  bad.json();
  const before = process.memoryUsage();
  const started = process.cpuUsage();
  expect(() => parseJson(bad, form)).toThrow(/not in its documented form at rates\.0/);
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  const { heapUsed } = process.memoryUsage();
  expect((heapUsed - before.heapUsed) / 2 ** 20).toBeLessThan(400);
}, 120_000);

test('JSON in another form names the place and shows the start, without secrets', () => {
  expect(() => parseJson(answerOf('{"rates":{"code":"USD"}}'), form)).toThrow(
    /bank\.example\/rates\?key=\*\*\*: not in its documented form at rates/,
  );
  expect(() => parseJson(answerOf(page), form)).toThrow(/HTML page where JSON was meant/);
  expect(() => parseJson(answerOf('oops'), form)).toThrow(/responded with no JSON \("oops"\)/);
  expect(() => answerOf('[').json()).toThrow(/no JSON/);
  expect(() => answerOf('['.repeat(1_000_000)).json()).toThrow(/no JSON/);
  expect(() => answerOf(`[${'[],'.repeat(2_000_001)}[]]`).json()).toThrow(/more than 2000000/);
});

test('JSON whose elements are all odd, or that has several forms, names the field that is missing', () => {
  const list = z.array(z.object({ code: z.string(), rate: z.number() })).min(1);
  expect(() => parseJson(answerOf('[{"code":"USD"},{"code":"EUR"}]'), list)).toThrow(
    /top level: Too small.*; without 2 odd elements, such as \{"code":"EUR"\}: rate: .*expected number/,
  );
  const forms = z.object({ data: z.union([z.null(), z.object({ month: z.object({ unit: z.number() }) })]) });
  expect(() => parseJson(answerOf('{"data":{"month":{}}}'), forms)).toThrow(/at data\.month\.unit: /);
});

test('odd elements are left out of their lists, whichever they are, and told', () => {
  const lists = z.array(z.object({ day: z.string(), rates: z.array(z.object({ rate: z.number() })) }));
  const text =
    '[{"day":"a","rates":[{},{"rate":1},{"rate":"x"}]},{"rates":[]},{"day":"b","rates":[{"rate":2},7]}]';
  const answer = answerOf(text);
  expect(parseJson(answer, lists)).toEqual([
    { day: 'a', rates: [{ rate: 1 }] },
    { day: 'b', rates: [{ rate: 2 }] },
  ]);
  expect(answer.oddRecords).toEqual([
    expect.stringMatching(/^\{"rate":"x"\}: rate: /),
    expect.stringMatching(/^\{"rates":\[\]\}: day: /),
    expect.stringMatching(/^7: record: /),
    expect.stringMatching(/^\{\}: rate: /),
  ]);
  expect(() => parseWholeJson(answerOf(text), lists)).toThrow(
    /not in its documented form: \{"rate":"x"\}: rate: /,
  );
  expect(parseWholeJson(answerOf('[]'), lists)).toEqual([]);
});

test('a large JSON is read again for twenty of its odd elements, and no more', () => {
  const read = (odd: number) => {
    const elements = Array.from({ length: 50_000 }, (_, at) => (at < odd ? null : 1));
    return parseJson(answerOf(JSON.stringify(elements)), z.array(z.number()));
  };
  expect(read(20)).toHaveLength(49_980);
  expect(() => read(21)).toThrow(/at 0: .*; without 20 odd elements, such as null: record: /);
});

test('XML of one element where one is meant, and as messages write it', () => {
  const root = xmlRoot(answerOf('<R a="1"><One>x</One><Two/><Two b="&gt;"/></R>'), 'R');
  expect(root.only('One').ownText).toBe('x');
  expect(() => root.only('Two')).toThrow('2 elements Two in R, where one is meant');
  expect(() => root.only('None')).toThrow('0 elements None in R, where one is meant');
  expect(root.toJSON()).toBe('<R a="1"><One>x</One><Two></Two><Two b=">"></Two></R>');
  expect(root.first('One')).toBeInstanceOf(XmlElement);
});

test('only what XML itself has, and characters that there are, are replaced', () => {
  const text = (inner: string) => xmlRoot(answerOf(`<a>${inner}</a>`), 'a').ownText;
  expect(text('&QUOT;&apos;&#x10FFFF;')).toBe('"\'\u{10ffff}');
  expect(text('&#x110000;&#1114112;&nbsp;&#x41;')).toBe('&#x110000;&#1114112;&nbsp;A');
});

test('XML by local names, with attributes, CDATA and characters written out', () => {
  const root = xmlRoot(
    answerOf(
      '<?xml version="1.0"?><n:Rates xmlns:n="x" n:Date="2 &amp; 3"><Rate><Code> USD </Code><V><![CDATA[1<2&lt;]]></V></Rate><Rate/>a&#x41;&#66;&lt;</n:Rates>',
    ),
    'Rates',
  );
  expect(root.attribute('Date')).toBe('2 & 3');
  expect(root.all('Rate')).toHaveLength(2);
  expect([root.text('Rate/Code'), root.text('Rate/V'), root.text('Rate/Other'), root.ownText]).toEqual([
    'USD',
    '1<2&lt;',
    undefined,
    'aAB<',
  ]);
});

test('XML in another charset than UTF-8', () => {
  const body = Buffer.concat([
    Buffer.from('<a>'),
    Buffer.from('\xc8\xf0\xe0\xed', 'latin1'),
    Buffer.from('</a>'),
  ]);
  expect(xmlRoot(answerOf(body, 'text/xml; charset=windows-1251'), 'a').ownText).toBe('Иран');
  expect(xmlRoot(answerOf(body, 'text/xml'), 'a', 'windows-1251').ownText).toBe('Иран');
});

test.each([
  ['a page', page, /HTML page/],
  ['a page with an XML prolog', `<?xml version="1.0"?>${page}`, /document type/],
  ['another root', '<Error>no</Error>', /the root is Error, not Rates/],
  ['half a document', '<Rates><Rate>1</Rate>', /not well-formed/],
  ['nothing', '', /not well-formed|missing/],
  ['elements that never end', '<Rates>'.repeat(5000), /^.{0,300}not well-formed.{0,300}$/],
  [
    'a laugh repeated',
    '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><Rates>&b;</Rates>',
    /document type/,
  ],
  [
    'a file from outside',
    '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><Rates>&a;</Rates>',
    /document type/,
  ],
  ['elements without end', '<Rates>'.repeat(5000) + '</Rates>'.repeat(5000), /can't be read/],
  ['elements without number', `<Rates>${'<b/>'.repeat(400_001)}</Rates>`, /more than 400000 tags/],
])('XML: %s is refused', (_, text, message) => {
  expect(() => xmlRoot(answerOf(text), 'Rates')).toThrow(message);
});

test('XML whose names would reach a prototype stays plain', () => {
  try {
    const root = parseXml(
      '<Rates><__proto__ evil="1"><evil>1</evil></__proto__><Rate __proto__="x">2</Rate></Rates>',
      'Rates',
      'test',
    );
    expect(root.text('Rate')).toBe('2');
  } catch (error) {
    expect(String(error)).toContain("can't be read");
  }
  expect(({} as Record<string, unknown>).evil).toBeUndefined();
});
