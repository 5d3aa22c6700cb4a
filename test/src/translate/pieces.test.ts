import { expect, it } from 'vitest';
import { cutIntoPieces } from '../../../src/translate/translate.js';
import { processorMs } from '../../support/processor-time.js';

const bytes = (size: number) => ({
  fitting: (text: string) => new TextEncoder().encodeInto(text, new Uint8Array(size)).read,
});

it.each([
  ['whole where it fits', 20, ['Short. Enough.']],
  ['cut at sentence ends', 22, ['One two. Three four! ', 'Five six? Seven.']],
  ['cut at word ends where a sentence is too long', 14, ['alpha beta, ', 'gamma delta ', 'epsilon']],
  ['cut at sentence ends of languages without blanks', 13, ['今日は。', '明日も。']],
  ['in no piece where it is empty', 20, []],
])('a text is %s', (_, size, pieces) => {
  expect(cutIntoPieces(pieces.join(''), bytes(size))).toEqual(pieces);
});

it.each([
  ['a word without end', 'x'.repeat(5_000)],
  ['exclamation', '!'.repeat(5_000)],
  ['blanks', ' '.repeat(5_000)],
  ['line ends', '\r\n'.repeat(2_500)],
  ['emoji families', '👨‍👩‍👧‍👦'.repeat(400)],
  ['letters under a heap of accents', `a${'\u0301'.repeat(4_999)}`],
  ['Thai', 'ภาษาไทยไม่มีช่องว่างระหว่างคำ'.repeat(150)],
  ['Arabic', 'السلام عليكم. كيف حالك؟ '.repeat(200)],
  ['everything', 'a. 你好！\n\tb😀c  d\u00a0e؟ '.repeat(200)],
])('a text in pieces made of %s is whole again, and no piece is too large', (_, text) => {
  const started = processorMs();
  const pieces = cutIntoPieces(text, bytes(480));
  expect(pieces.join('')).toBe(text);
  expect(Math.max(...pieces.map((piece) => Buffer.byteLength(piece)))).toBeLessThanOrEqual(480);
  // A pair cut in two would not be well-formed UTF-16.
  expect(pieces.every((piece) => Buffer.from(piece).toString() === piece)).toBe(true);
  expect(pieces.length).toBeLessThan((2 * Buffer.byteLength(text)) / 480 + 2);
  expect(processorMs() - started).toBeLessThan(1_000);
});
