import { expect, test } from 'vitest';
import { answerOf } from '../toolbox/answer.js';

const text = 'Цена в €: 5';
const utf8 = Buffer.from(text);
const cyrillic = Buffer.from('<a>\xd6\xe5\xed\xe0</a>', 'latin1');
const HTTP_EQUIV = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">';
const declared = (start: string) => Buffer.concat([Buffer.from(start), cyrillic]);

test.each([
  ['nothing named', utf8, 'text/html', text],
  ['another charset named', utf8, 'text/html; charset=iso-8859-1', text],
  ['an unknown charset named', utf8, 'text/html; charset=none', text],
  ['cut within a character', utf8.subarray(0, 3), 'text/html; charset=utf-8', 'Ц\ufffd'],
])('UTF-8 is read as that: %s', (_, bytes, type, read) => {
  expect(answerOf(bytes, type).text()).toBe(read);
});

test.each([
  ['in the header', cyrillic, 'text/xml; charset="windows-1251"'],
  ['in XML', declared('<?xml version="1.0" encoding="windows-1251"?>'), 'text/xml'],
  ['in a page', declared('<html><meta charset=windows-1251>'), 'text/html'],
  ['in a page, the older way', declared(`<html>${HTTP_EQUIV}`), 'text/html'],
  ['in XML, against the header', declared("<?xml encoding='windows-1251'?>"), 'text/xml; charset=UTF-8'],
  ['in the header, against XML', declared("<?xml encoding='koi8-r'?>"), 'text/xml; charset=windows-1251'],
])('text is read in the charset that is named %s', (_, bytes, type) => {
  expect(answerOf(bytes, type).text()).toMatch(/<a>Цена<\/a>$/);
});

test('what is ASCII may stand for something else, as the header says', () => {
  const japanese = Buffer.from('\x1b$BF|\x1b(B', 'latin1');
  expect(answerOf(japanese, 'text/html; charset=iso-2022-jp').text()).toBe('日');
});

test('a charset that the feed names counts', () => {
  expect(answerOf(utf8).text('iso-8859-1')).not.toBe(text);
});

test('a word after the start, or in text that is no markup, names none', () => {
  const late = Buffer.concat([Buffer.from(`<p>${' '.repeat(1_100)}charset=koi8-r</p>`), cyrillic]);
  expect(answerOf(late, 'text/html').text()).toContain('\ufffd');
  const plain = Buffer.concat([Buffer.from('charset=koi8-r '), cyrillic]);
  expect(answerOf(plain, 'text/csv').text()).toContain('\ufffd');
});
