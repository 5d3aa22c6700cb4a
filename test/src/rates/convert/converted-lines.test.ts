import { describe, expect, it } from 'vitest';
import type { Format } from '../../../../src/http/record-formats.js';
import { type Conversion, encodeConvertedLines } from '../../../../src/rates/convert/converted-lines.js';
import { type Line, readLines } from '../../../../src/rates/convert/lines.js';

function convert({ amount, base, quote }: Line): Conversion | { error: string } {
  if (quote === 'KPW') return { error: `no rate for ${base}/${quote}` };
  return { amount, base, quote, date: '2026-03-10', observed: '2026-03-09', rate: 1.25, result: '9.99' };
}

async function chunksOf(
  body: string,
  format: Format,
  yieldNow: () => Promise<void> | undefined = () => undefined,
) {
  const chunks: string[] = [];
  for await (const chunk of encodeConvertedLines(readLines(body, format), convert, { format, yieldNow })) {
    chunks.push(String(chunk));
  }
  return chunks;
}

const encoded = async (body: string, format: Format) => (await chunksOf(body, format)).join('');

const RESULT = { date: '2026-03-10', observed: '2026-03-09', rate: 1.25, result: '9.99' };
const LINE = { amount: '1', base: 'EUR', quote: 'USD' };
const LINES = [LINE, { ...LINE, id: 'a' }, { ...LINE, quote: 'KPW', id: 3 }, { amount: 'x', note: 1 }];
const OBJECTS = [
  { ...LINE, ...RESULT },
  { ...LINE, ...RESULT, id: 'a' },
  { ...LINE, quote: 'KPW', error: 'no rate for EUR/KPW', id: 3 },
  { amount: 'x', note: 1, error: 'unknown member: note' },
];

describe('converted lines', () => {
  it('are JSON, with the id last, and an error in place of a result', async () => {
    expect(await encoded(JSON.stringify(LINES), 'json')).toBe(JSON.stringify(OBJECTS));
    expect(await encoded('[]', 'json')).toBe('[]');
  });

  it('are a line each in NDJSON', async () => {
    const body = LINES.map((line) => JSON.stringify(line)).join('\n');
    expect(await encoded(body, 'ndjson')).toBe(OBJECTS.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(await encoded('', 'ndjson')).toBe('');
  });

  it('are CSV, quoted where they must be', async () => {
    const body = [
      'id,amount,base,quote,date',
      '1,1,EUR,USD,',
      '"a ""b"", c",1,EUR,KPW,2026-03-01',
      '"d\ne",x,EUR,USD,',
      '"f\rg",1,EUR,USD,',
      ',1,EUR,USD,',
    ].join('\n');
    expect(await encoded(body, 'csv')).toBe(
      [
        'amount,base,quote,date,observed,rate,result,id,error',
        '1,EUR,USD,2026-03-10,2026-03-09,1.25,9.99,1,',
        '1,EUR,KPW,2026-03-01,,,,"a ""b"", c",no rate for EUR/KPW',
        'x,EUR,USD,,,,,"d\ne",invalid amount: x',
        '1,EUR,USD,2026-03-10,2026-03-09,1.25,9.99,"f\rg",',
        '1,EUR,USD,2026-03-10,2026-03-09,1.25,9.99,,',
        '',
      ].join('\n'),
    );
    expect(await encoded('amount,base,quote', 'csv')).toBe(
      'amount,base,quote,date,observed,rate,result,id,error\n',
    );
  });

  it.each(['json', 'ndjson', 'csv'] as const)(
    'of long bodies come in chunks, and let others go first: %s',
    async (format) => {
      const many = Array.from({ length: 1_001 }, (_, index) => ({ ...LINE, id: String(index) }));
      const bodies = {
        json: JSON.stringify(many),
        ndjson: many.map((line) => JSON.stringify(line)).join('\n'),
        csv: `amount,base,quote,id\n${many.map((line) => Object.values(line).join()).join('\n')}`,
      };
      let yields = 0;
      const chunks = await chunksOf(bodies[format], format, () => {
        yields++;
        return undefined;
      });
      expect(yields).toBe(10);
      const all = chunks.join('');
      expect(chunks).toHaveLength(Math.ceil(all.length / (64 * 1024 + 100 * (all.length / 1_001))));
      for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeGreaterThanOrEqual(64 * 1024);
      const ids = format === 'json' ? JSON.parse(all).map(({ id }: { id: string }) => id) : [];
      const last = all.trimEnd().split('\n');
      if (format === 'json') expect(ids).toEqual(many.map(({ id }) => id));
      else expect(last).toHaveLength(format === 'csv' ? 1_002 : 1_001);
    },
  );
});
