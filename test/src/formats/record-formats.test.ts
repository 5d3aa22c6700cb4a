import { describe, expect, it } from 'vitest';
import { encodePages, encodeRecords, textChunks } from '../../../src/formats/record-formats.js';
import { FORMATS, negotiateFormat } from '../../../src/http/reply.js';

const RECORDS = [
  { a: 1, b: 'x' },
  { a: 2, b: 'y' },
];
const TEXTS = {
  json: ['[]', '[{"a":1,"b":"x"},{"a":2,"b":"y"}]'],
  ndjson: ['', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
  csv: ['b,a\n', 'b,a\nx,1\ny,2\n'],
};

describe.each(FORMATS)('records in %s', (format) => {
  it.each([
    ['none', [], TEXTS[format][0]],
    ['some', RECORDS, TEXTS[format][1] ?? ''],
  ])('%s', (_, records, text = '') => expect(encodeRecords(records, ['b', 'a'], format)).toBe(text));

  it.each([0, 1, 2, 3])('in pages of %s are the same as in one', async (size) => {
    async function* pages() {
      for (let at = 0; at < RECORDS.length && size > 0; at += size) yield RECORDS.slice(at, at + size);
      yield [];
    }
    const chunks = await encodePages(pages(), ['b', 'a'], format);
    expect(chunks.join('')).toBe(encodeRecords(size > 0 ? RECORDS : [], ['b', 'a'], format));
  });
});

it.each([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['image/png', 'json'],
  [undefined, 'json'],
])('%s asks for %s', (accept, format) => expect(negotiateFormat(accept).format).toBe(format));

it('a long text comes in chunks of at least a length', async () => {
  const chunks: string[] = [];
  for await (const chunk of textChunks(['<aa', 'b', 'é', 'dddddd', 'e>'], 4)) chunks.push(chunk.toString());
  expect(chunks).toEqual(['<aab', 'édddddd', 'e>']);
});
