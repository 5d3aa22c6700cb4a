import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { isPdf, pdfLines } from '../../../../worker/feeds/toolbox/pdf.js';
import { makePdf } from '../support-files.js';
import { answerOf } from './answer.js';

test('lines of text from top to bottom, over all pages', async () => {
  const at = (x: number, y: number, text: string) => ({ x, y, text });
  const line = [at(300, 698.5, '61.600'), at(54, 700, 'Reference (Rate):')];
  const bytes = makePdf([...line, at(54, 650, '  '), at(54, 720, 'Title')], [at(10, 10, 'second')]);
  const lines = await pdfLines(answerOf(bytes));
  const texts = ['1 Title', '1 Reference (Rate): 61.600', '2 second'];
  expect(lines.map(({ page, text }) => `${page} ${text}`)).toEqual(texts);
  expect(lines[1]?.pieces.map(({ x }) => x)).toEqual([54, 300]);
  expect((await pdfLines(answerOf(bytes), { tolerance: 1 })).map((line) => line.text)).toContain('61.600');
});

test('a PDF that the empty password opens', async () => {
  // By the standard handler, V 4, with AES of 128 bits.
  const encrypted = await readFile(new URL('encrypted.pdf', import.meta.url));
  expect((await pdfLines(answerOf(encrypted))).map(({ text }) => text)).toEqual(['Reference: 61.600']);
});

test.each([
  ['a page', Buffer.from('<html>blocked</html>'), /no PDF: blocked or moved/],
  ['nothing', Buffer.alloc(0), /no PDF/],
  ['a PDF without anything in it', Buffer.from('%PDF-1.4\n%%EOF'), /can't be read/],
  ['a PDF of many pages', makePdf(...Array.from({ length: 21 }, () => [])), /21 pages/],
])('%s is refused', async (_, bytes, message) => {
  expect(isPdf(answerOf(bytes))).toBe(Buffer.from(bytes).toString('latin1').startsWith('%PDF-'));
  await expect(pdfLines(answerOf(bytes))).rejects.toThrow(message);
});

test('an archive may have more pages where its feed says so', async () => {
  const pages = makePdf(...Array.from({ length: 21 }, (_, at) => [{ x: 1, y: 1, text: `page ${at + 1}` }]));
  expect(await pdfLines(answerOf(pages), { mostPages: 21 })).toHaveLength(21);
});
