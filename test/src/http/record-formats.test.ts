import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeManyRecords, encodeRecords, FORMATS, formatFor } from '../../../src/http/record-formats.js';
import { textChunks } from '../../../src/http/text-chunks.js';

const RECORDS = [
  { a: 1, b: 'x' },
  { a: 2, b: 'y' },
];
const TEXTS = {
  json: ['[]', '[{"a":1,"b":"x"},{"a":2,"b":"y"}]'],
  ndjson: ['', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
  csv: ['b,a\n', 'b,a\nx,1\ny,2\n'],
};

/** Counts its calls, makes every other one wait, and fails where a call came before its wait was over. */
function turns() {
  const taken = { calls: 0, ended: 0 };
  let isWaiting = false;
  const yieldNow = () => {
    if (isWaiting) throw new Error('a turn was not waited for');
    if (taken.calls++ % 2 === 0) return undefined;
    isWaiting = true;
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        isWaiting = false;
        taken.ended++;
        resolve();
      });
    });
  };
  return { taken, yieldNow };
}

describe.each(FORMATS)('records in %s', (format) => {
  it.each([
    ['none', [], TEXTS[format][0]],
    ['some', RECORDS, TEXTS[format][1] ?? ''],
  ])('%s', async (_, records, text = '') => {
    expect(encodeRecords(records, ['b', 'a'], format)).toBe(text);
    const { yieldNow } = turns();
    expect(await encodeManyRecords(records, ['b', 'a'], { format, yieldNow })).toEqual({
      body: Buffer.from(text),
      hash: createHash('sha256').update(text).digest('base64url'),
    });
  });
});

it('many records give others their turns', async () => {
  const { taken, yieldNow } = turns();
  await encodeManyRecords([...RECORDS, ...RECORDS], ['a'], { format: 'ndjson', yieldNow });
  // After each of four records, and when their one chunk was put into the body.
  expect(taken).toEqual({ calls: 4 + 1, ended: 2 });
});

it.each([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['image/png', 'json'],
  [undefined, 'json'],
])('%s asks for %s', (accept, format) => {
  expect(formatFor(accept)).toBe(format);
});

it('a long text comes in chunks of at least a length, and gives others their turns', async () => {
  const { taken, yieldNow } = turns();
  const pieces = ['aa', 'b', 'é', 'dddddd', 'e'];
  const chunks: string[] = [];
  for await (const chunk of textChunks(pieces, { opening: '<', closing: '>', length: 4, yieldNow })) {
    chunks.push(chunk.toString());
  }
  expect(chunks).toEqual(['<aab', 'édddddd', 'e>']);
  expect(taken).toEqual({ calls: 5, ended: 2 });
});
