import { parse as parseCsv } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountIn } from '../../../../core/domain/amount.js';
import type { Format } from '../../../../src/http/reply.js';
import { type Conversion, encodeConvertedLines } from '../../../../src/rates/lines/converted-lines.js';
import { type Line, readLines } from '../../../../src/rates/lines/lines.js';
import { propertyRuns } from '../../../support/property-runs.js';

function convert({ amount, base, quote }: Line): Conversion | { error: string } {
  if (quote === 'KPW') return { error: `no rate for ${base}/${quote}` };
  return { amount, base, quote, date: '2026-03-10', observed: '2026-03-09', rate: 1.25, result: '9.99' };
}

async function chunksOf(body: string, format: Format) {
  const chunks: string[] = [];
  for await (const chunk of encodeConvertedLines(readLines(body, format), convert, { format }))
    chunks.push(String(chunk));
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
  {
    amount: 'x',
    note: 1,
    error: 'unknown member: note (accepted: amount, base, quote, date, id, rule, period, from, to)',
  },
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
      ...['id,amount,base,quote,date', '1,1,EUR,USD,', '"a ""b"", c",1,EUR,KPW,2026-03-01'],
      ...['"d\ne",x,EUR,USD,', '"f\rg",1,EUR,USD,', ',1,EUR,USD,'],
    ].join('\n');
    const heading = 'amount,base,quote,date,observed,rate,result,id,error';
    const result = '2026-03-10,2026-03-09,1.25,9.99';
    const wrong = 'invalid amount: x (write a number of at most 30 digits such as 1250.00)';
    expect(await encoded(body, 'csv')).toBe(
      [
        ...[heading, `1,EUR,USD,${result},1,`],
        '1,EUR,KPW,2026-03-01,,,,"a ""b"", c",no rate for EUR/KPW',
        ...[`x,EUR,USD,,,,,"d\ne",${wrong}`, `1,EUR,USD,${result},"f\rg",`, `1,EUR,USD,${result},,`, ''],
      ].join('\n'),
    );
    expect(await encoded('amount,base,quote', 'csv')).toBe(`${heading}\n`);
  });

  it('have no cell in CSV that a spreadsheet runs, but numbers as they are', async () => {
    const ids = ['=1+1', '+1', '-1+1', '@SUM(A1)', '＝1', '-5', '-1.5e3', 'a=1', ''];
    const body = ['id,amount,base,quote', ...ids.map((id) => `${id},-1,EUR,USD`)].join('\n');
    const lines = (await encoded(body, 'csv')).trimEnd().split('\n').slice(1);
    const cells = [...ids.slice(0, 5).map((id) => `"'${id}"`), ...ids.slice(5)];
    expect(lines).toEqual(cells.map((id) => `-1,EUR,USD,2026-03-10,2026-03-09,1.25,9.99,${id},`));
  });

  it('have no formula in CSV whatever the client sends', async () => {
    const unit = fc.constantFrom(...'=+-@\t\r\n＝＋－＠1e.,"\' a');
    const arbitraryText = fc.string({ unit, maxLength: 6 });
    const columns = ['amount', 'base', 'quote', 'date', 'id'];
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryText, { minLength: 5, maxLength: 5 }), async (texts) => {
        const cells = texts.map((text) => `"${text.replaceAll('"', '""')}"`);
        const csv = await encoded(`${columns.join()}\n${cells.join()}\n`, 'csv');
        const [found = {}] = parseCsv(csv, { columns: true }) as Record<string, string>[];
        for (const [at, name] of columns.entries()) {
          const sent = (texts[at] ?? '').trim();
          const isFormula = /^[=+\-@\t\r\n＝＋－＠]/.test(sent) && amountIn(sent) === undefined;
          expect([name, found[name]]).toEqual([name, isFormula ? `'${sent}` : sent]);
        }
        expect(found.error).toMatch(
          /^(invalid (amount|currency): |(amount|base|quote) is required$|date must be )/,
        );
      }),
      propertyRuns(5_000),
    );
  });

  it.each(['json', 'ndjson', 'csv'] as const)('of long bodies come in chunks: %s', async (format) => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ ...LINE, id: String(index) }));
    const bodies = {
      json: JSON.stringify(many),
      ndjson: many.map((line) => JSON.stringify(line)).join('\n'),
      csv: `amount,base,quote,id\n${many.map((line) => Object.values(line).join()).join('\n')}`,
    };
    const chunks = await chunksOf(bodies[format], format);
    const all = chunks.join('');
    expect(chunks).toHaveLength(Math.ceil(all.length / (64 * 1024 + all.length / 1_001)));
    for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeGreaterThanOrEqual(64 * 1024);
    const records = format === 'json' ? JSON.parse(all) : all.trimEnd().split('\n');
    expect(records).toHaveLength(format === 'csv' ? 1_002 : 1_001);
    if (format === 'json') expect(records).toMatchObject(many);
  });
});
