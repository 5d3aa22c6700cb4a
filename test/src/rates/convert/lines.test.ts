import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import type { Format } from '../../../../src/http/record-formats.js';
import { type Line, type ReadLine, readLines } from '../../../../src/rates/convert/lines.js';
import { MOST_LINES } from '../../../../src/rates/convert/records.js';
import { propertyRuns } from '../../../support/property-runs.js';

async function readAll(body: string, format: Format): Promise<ReadLine[]> {
  return [...(await readLines(body, format, () => undefined))];
}

/** What the lines of a body say. */
async function read(body: string, format: Format = 'json'): Promise<(Line | { error: string })[]> {
  return (await readAll(body, format)).map(({ line }) => line);
}

async function refusal(body: string, format: Format): Promise<string> {
  try {
    await readAll(body, format);
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.message}`;
    throw error;
  }
  throw new Error('it was read');
}

const LINE = { amount: '1', base: 'EUR', quote: 'USD' };

describe('the lines of a body', () => {
  it('are the same in every format', async () => {
    const lines = [
      { amount: '1.50', base: 'eur', quote: 'Usd', date: '2026-03-10', id: 'a' },
      { amount: '-2', base: 'GBP', quote: 'JPY', date: '', id: '' },
    ];
    const expected = [
      { amount: '1.50', base: 'EUR', quote: 'USD', on: { date: '2026-03-10', day: 20_522 } },
      { amount: '-2', base: 'GBP', quote: 'JPY' },
    ];
    const csv = `amount,base,quote,date,id\n${lines.map((line) => Object.values(line).join()).join('\n')}\n`;
    const ndjson = lines.map((line) => JSON.stringify(line)).join('\n');
    for (const [body, format] of [
      [JSON.stringify(lines), 'json'],
      [ndjson, 'ndjson'],
      [`\n${ndjson}\n \n`, 'ndjson'],
      [csv, 'csv'],
      [csv.replaceAll('\n', '\r'), 'csv'],
      [csv.replace('a\n', '"a"\n'), 'csv'],
    ] as const) {
      const found = await readAll(body, format);
      expect([body, found.map(({ line }) => line)]).toEqual([body, expected]);
      expect(found.map(({ id }) => id)).toEqual(['a', '']);
    }
  });

  it('have numbers as they are written, spaces cut off, and nothing where there is null', async () => {
    expect(await read(JSON.stringify([{ ...LINE, amount: 12.5, date: null }]))).toEqual([
      { ...LINE, amount: '12.5' },
    ]);
    expect(await read(JSON.stringify([{ ...LINE, amount: ' 7 ', base: ' eur ' }]))).toEqual([
      { ...LINE, amount: '7' },
    ]);
    expect(await read(JSON.stringify([{ ...LINE, date: '  ' }]))).toEqual([LINE]);
    expect(await read(JSON.stringify([{ amount: null, base: 'EUR', quote: 'USD' }]))).toEqual([
      { error: 'amount is required' },
    ]);
  });

  it('may have amounts with an exponent, in every format', async () => {
    const amounts = async (body: string, format?: Format) =>
      (await read(body, format)).map((line) => ('error' in line ? line.error : line.amount));
    const expected = [
      '0.0000001',
      '-2500',
      '1000000000000000000000',
      'invalid amount: 1e31 (write a number of at most 30 digits such as 1250.00)',
    ];
    const texts = ['1e-7', '-2.5E3', '1e+21', '1e31'];
    expect(await amounts(JSON.stringify(texts.map((amount) => ({ ...LINE, amount }))))).toEqual(expected);
    expect(
      await amounts(
        texts.map((amount) => `{"amount":"${amount}","base":"EUR","quote":"USD"}`).join('\n'),
        'ndjson',
      ),
    ).toEqual(expected);
    expect(
      await amounts(`amount,base,quote\n${texts.map((amount) => `${amount},EUR,USD`).join('\n')}`, 'csv'),
    ).toEqual(expected);
    const numbers = '[1e-7, -2.5E3, 1e+21, 1e31]'.replaceAll(
      /[-\d.eE+]+/g,
      '{"amount":$&,"base":"EUR","quote":"USD"}',
    );
    expect(await amounts(numbers)).toEqual([
      ...expected.slice(0, 3),
      'invalid amount: 1e+31 (write a number of at most 30 digits such as 1250.00)',
    ]);
    expect(await amounts('[{"amount":1e400,"base":"EUR","quote":"USD"}]')).toEqual([
      'invalid amount: Infinity (write a number of at most 30 digits such as 1250.00)',
    ]);
  });

  it('say what is wrong with them as it was written', async () => {
    const wrong = async (change: object) => (await read(JSON.stringify([{ ...LINE, ...change }])))[0];
    expect(await wrong({ amount: 'x' })).toEqual({
      error: 'invalid amount: x (write a number of at most 30 digits such as 1250.00)',
    });
    expect(await wrong({ amount: { a: 1 } })).toEqual({
      error: 'invalid amount: {…} (write a number of at most 30 digits such as 1250.00)',
    });
    expect(await wrong({ base: 'zzz' })).toEqual({ error: 'invalid currency: zzz' });
    expect(await wrong({ quote: 'yyy' })).toEqual({ error: 'invalid currency: yyy' });
    expect(await wrong({ quote: 'eu' })).toEqual({ error: 'invalid currency: eu (did you mean EUR?)' });
    expect(await wrong({ quote: undefined })).toEqual({ error: 'quote is required' });
    expect(await wrong({ base: undefined })).toEqual({ error: 'base is required' });
    expect(await wrong({ amount: '1.234,50 €' })).toEqual({
      error: 'invalid amount: 1.234,50 € (write 1234.50)',
    });
    expect(await wrong({ date: '2026-02-30' })).toEqual({
      error: 'date must be YYYY-MM-DD: 2026-02-30 is no date',
    });
    expect(await wrong({ date: '1.3.2026' })).toEqual({
      error: 'date must be YYYY-MM-DD: write 2026-03-01 for 1.3.2026',
    });
    expect(await wrong({ date: true })).toEqual({ error: 'date must be YYYY-MM-DD: true is no date' });
    expect(await wrong({ currency: 'EUR' })).toEqual({
      error: 'unknown member: currency (there are amount, base, quote, date, id, rule, period, from, to)',
    });
  });

  it('are echoed whole', async () => {
    const line = { ...LINE, id: 7, note: 'x' };
    expect((await readAll(JSON.stringify([line]), 'json'))[0]?.given()).toEqual(line);
    expect((await readAll('id,base,amount,quote\n7,EUR,1,USD', 'csv'))[0]?.given()).toEqual({
      id: '7',
      base: 'EUR',
      amount: '1',
      quote: 'USD',
    });
  });

  it('may be ten thousand', async () => {
    const bodies = (count: number): [string, Format][] => [
      [JSON.stringify(Array(count).fill(LINE)), 'json'],
      [`${JSON.stringify(LINE)}\n`.repeat(count), 'ndjson'],
      [`amount,base,quote\n${'1,EUR,USD\n'.repeat(count)}`, 'csv'],
    ];
    for (const [body, format] of bodies(MOST_LINES)) expect(await read(body, format)).toHaveLength(10_000);
    for (const [body, format] of bodies(MOST_LINES + 1)) {
      expect(await refusal(body, format)).toBe('422 line 10001: there are 10000 lines at most');
    }
  });

  it('may be none', async () => {
    expect(await read('[]')).toEqual([]);
    expect(await read('', 'ndjson')).toEqual([]);
    expect(await read('amount,base,quote', 'csv')).toEqual([]);
  });
});

describe('a body that can not be read', () => {
  it.each<[string, Format, string]>([
    ['[', 'json', 'the body is no JSON: its array is not closed'],
    ['[{}] x', 'json', 'the body has something after the array of lines'],
    ['[{},,{}]', 'json', 'line 2: is no JSON'],
    ['[{},]', 'json', 'line 2: is no JSON'],
    ['[{}', 'json', 'the body is no JSON: its array is not closed'],
    ['[{]}', 'json', 'the body is no JSON: its array is not closed'],
    ['', 'json', 'the body must be a JSON array of lines'],
    ['{"amount":"1"}', 'json', 'the body must be a JSON array of lines'],
    ['[{}, 1]', 'json', 'line 2: must be an object with amount, base and quote'],
    ['[null]', 'json', 'line 1: must be an object with amount, base and quote'],
    ['[[]]', 'json', 'line 1: must be an object with amount, base and quote'],
    ['{}\n\n{', 'ndjson', 'line 3: is no JSON'],
    ['{}\n"x"', 'ndjson', 'line 2: must be an object with amount, base and quote'],
    ['', 'csv', 'line 1: the column amount, base, quote is missing'],
    ['amount,quote\n', 'csv', 'line 1: the column base is missing'],
    [
      'amount,base,quote,rate\n',
      'csv',
      'line 1: unknown column: rate (there are amount, base, quote, date, id, rule, period, from, to)',
    ],
    [
      'amount,base,quote\n1,EUR,USD\n\n1,EUR\n',
      'csv',
      'line 4: has another number of columns than the first line',
    ],
    ['amount,base,quote\n1,EUR,USD,2\n', 'csv', 'line 2: has another number of columns than the first line'],
    [
      'amount,base,quote\n"1",EUR,USD\n"1",EUR\n',
      'csv',
      'line 3: has another number of columns than the first line',
    ],
    ['amount,base,quote\n1,EU"R,USD\n', 'csv', 'line 2: is no CSV'],
  ])('is named by its line: %j', async (body, format, message) => {
    expect(await refusal(body, format)).toBe(`422 ${message}`);
  });

  it('has the fault of the parser as its cause', async () => {
    await expect(readAll('[{x}]', 'json')).rejects.toThrow(
      expect.objectContaining({ cause: expect.any(SyntaxError) }),
    );
  });
});

describe('the columns of CSV', () => {
  it('come in any order and case, with spaces or a byte order mark around', async () => {
    for (const cell of ['EUR', '"EUR"']) {
      const body = `\ufeffQuote, AMOUNT ,base\r\nUSD , 1,${cell}\r\n\r\n`;
      expect(await read(body, 'csv')).toEqual([LINE]);
    }
  });

  it.each([
    [
      'a heading of two million columns',
      ','.repeat(2_000_000),
      'csv',
      'line 1: is longer than 10000 characters',
    ],
    ['the same with quotes', `"${','.repeat(2_000_000)}"`, 'csv', 'line 1: is longer than 10000 characters'],
    [
      'a record over many lines',
      `"${'a\n'.repeat(9_000)}"`,
      'csv',
      'line 5001: is longer than 10000 characters',
    ],
    ['brackets of JSON', '['.repeat(2_000_000), 'json', 'line 1: is longer than 10000 characters'],
    ['a text of JSON', `["${'x'.repeat(2_000_000)}"]`, 'json', 'line 1: is longer than 10000 characters'],
    ['spaces in JSON', `[${' '.repeat(2_000_000)}]`, 'json', 'line 1: is longer than 10000 characters'],
    ['blank lines of NDJSON', '\n'.repeat(2_000_000), 'ndjson', 'line 20001: there are 10000 lines at most'],
    [
      'blank lines of CSV',
      `"amount",base,quote\n${'\r'.repeat(2_000_000)}`,
      'csv',
      'line 20001: there are 10000 lines at most',
    ],
  ] as const)('are refused before they are looked into: %s', async (_, body, format, message) => {
    expect(await refusal(body, format)).toBe(`422 ${message}`);
  });

  it.each(['id', 'amount', 'date'])('are refused where their %s is nested deep', async (member) => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const line = (depth: number) =>
      `[{"amount":"1","base":"EUR","quote":"USD","${member}":${nested(depth)}}]`;
    for (const depth of [22, 4_000])
      expect(await refusal(line(depth), 'json')).toBe('422 line 1: is nested too deep');
    const expected = {
      id: LINE,
      amount: { error: 'invalid amount: […] (write a number of at most 30 digits such as 1250.00)' },
      date: { error: 'date must be YYYY-MM-DD: […] is no date' },
    };
    expect(await read(line(20))).toEqual([expected[member as keyof typeof expected]]);
  });
});

describe('dividing a body', () => {
  const id = fc.oneof(
    fc.string({
      unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', '\n', '\r', ' ', 'a', '\u2028'),
      maxLength: 300,
    }),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );

  it('gives the lines of a JSON array, however it is written', async () => {
    const indent = fc.constantFrom(undefined, 1, '\t', '\r\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(id, fc.jsonValue({ maxDepth: 3 }))), indent, async (ids, indent) => {
        const body = JSON.stringify(
          ids.map((id) => ({ ...LINE, id })),
          undefined,
          indent,
        );
        expect((await readAll(body, 'json')).map(({ id }) => id)).toEqual(
          (JSON.parse(body) as { id: unknown }[]).map(({ id }) => id),
        );
      }),
    );
  });

  it('refuses what JSON.parse refuses', async () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', ':', ' ', '1', '\n', '{}'),
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const body = `[${text}]`;
        const isArray =
          isJson(body) &&
          (JSON.parse(body) as unknown[]).every(
            (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
          );
        await expect(
          readAll(body, 'json').then(
            () => true,
            (error: unknown) => !(error instanceof HttpError),
          ),
        ).resolves.toBe(isArray);
      }),
      propertyRuns(2_000),
    );
  });

  it('gives the lines of CSV with quotes, whatever is in them', async () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n');
    await fc.assert(
      fc.asyncProperty(fc.array(id, { maxLength: 400 }), lineEnd, async (ids, lineEnd) => {
        const lines = ids.map((id) => `1,EUR,USD,${quoted(id)}`);
        const found = await readAll(['amount,base,quote,"id"', ...lines].join(lineEnd), 'csv');
        expect(found.map(({ id }) => id)).toEqual(ids.map((id) => id.trim()));
        expect(found.every(({ line }) => 'quote' in line)).toBe(true);
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
