import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import type { Format } from '../../../../src/http/record-formats.js';
import { type Line, MOST_LINES, readLines } from '../../../../src/rates/convert/lines.js';

/** What the lines of a body say. */
function read(body: string, format: Format = 'json'): (Line | { error: string })[] {
  return [...readLines(body, format)].map(({ line }) => line);
}

function refusal(body: string, format: Format): string {
  try {
    readLines(body, format);
  } catch (error) {
    if (error instanceof HttpError) return `${error.status} ${error.message}`;
    throw error;
  }
  throw new Error('it was read');
}

const LINE = { amount: '1', base: 'EUR', quote: 'USD' };

describe('the lines of a body', () => {
  it('are the same in every format', () => {
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
      const found = [...readLines(body, format)];
      expect([body, found.map(({ line }) => line)]).toEqual([body, expected]);
      expect(found.map(({ id }) => id)).toEqual(['a', '']);
    }
  });

  it('have numbers as they are written, spaces cut off, and nothing where there is null', () => {
    expect(read(JSON.stringify([{ ...LINE, amount: 12.5, date: null }]))).toEqual([
      { ...LINE, amount: '12.5' },
    ]);
    expect(read(JSON.stringify([{ ...LINE, amount: ' 7 ', base: ' eur ' }]))).toEqual([
      { ...LINE, amount: '7' },
    ]);
    expect(read(JSON.stringify([{ ...LINE, date: '  ' }]))).toEqual([LINE]);
    expect(read(JSON.stringify([{ amount: null, base: 'EUR', quote: 'USD' }]))).toEqual([
      { error: 'invalid amount: ' },
    ]);
  });

  it('may have amounts with an exponent, in every format', () => {
    const amounts = (body: string, format?: Format) =>
      read(body, format).map((line) => ('error' in line ? line.error : line.amount));
    const expected = ['0.0000001', '-2500', '1000000000000000000000', 'invalid amount: 1e31'];
    const texts = ['1e-7', '-2.5E3', '1e+21', '1e31'];
    expect(amounts(JSON.stringify(texts.map((amount) => ({ ...LINE, amount }))))).toEqual(expected);
    expect(
      amounts(
        texts.map((amount) => `{"amount":"${amount}","base":"EUR","quote":"USD"}`).join('\n'),
        'ndjson',
      ),
    ).toEqual(expected);
    expect(
      amounts(`amount,base,quote\n${texts.map((amount) => `${amount},EUR,USD`).join('\n')}`, 'csv'),
    ).toEqual(expected);
    const numbers = '[1e-7, -2.5E3, 1e+21, 1e31]'.replaceAll(
      /[-\d.eE+]+/g,
      '{"amount":$&,"base":"EUR","quote":"USD"}',
    );
    expect(amounts(numbers)).toEqual([...expected.slice(0, 3), 'invalid amount: 1e+31']);
    expect(amounts('[{"amount":1e400,"base":"EUR","quote":"USD"}]')).toEqual(['invalid amount: Infinity']);
  });

  it('say what is wrong with them as it was written', () => {
    const wrong = (change: object) => read(JSON.stringify([{ ...LINE, ...change }]))[0];
    expect(wrong({ amount: 'x' })).toEqual({ error: 'invalid amount: x' });
    expect(wrong({ amount: { a: 1 } })).toEqual({ error: 'invalid amount: {…}' });
    expect(wrong({ base: 'zzz' })).toEqual({ error: 'invalid currency: zzz' });
    expect(wrong({ quote: 'yyy' })).toEqual({ error: 'invalid currency: yyy' });
    expect(wrong({ quote: undefined })).toEqual({ error: 'invalid currency: ' });
    expect(wrong({ base: undefined })).toEqual({ error: 'invalid currency: ' });
    expect(wrong({ date: '2026-02-30' })).toEqual({ error: 'invalid date: 2026-02-30' });
    expect(wrong({ date: true })).toEqual({ error: 'invalid date: true' });
    expect(wrong({ currency: 'EUR' })).toEqual({ error: 'unknown member: currency' });
  });

  it('are echoed whole', () => {
    const line = { ...LINE, id: 7, note: 'x' };
    expect([...readLines(JSON.stringify([line]), 'json')][0]?.given()).toEqual(line);
    expect([...readLines('id,base,amount,quote\n7,EUR,1,USD', 'csv')][0]?.given()).toEqual({
      id: '7',
      base: 'EUR',
      amount: '1',
      quote: 'USD',
    });
  });

  it('may be ten thousand', () => {
    const bodies = (count: number): [string, Format][] => [
      [JSON.stringify(Array(count).fill(LINE)), 'json'],
      [`${JSON.stringify(LINE)}\n`.repeat(count), 'ndjson'],
      [`amount,base,quote\n${'1,EUR,USD\n'.repeat(count)}`, 'csv'],
    ];
    for (const [body, format] of bodies(MOST_LINES)) expect(read(body, format)).toHaveLength(10_000);
    for (const [body, format] of bodies(MOST_LINES + 1)) {
      expect(refusal(body, format)).toBe('422 line 10001: there are 10000 lines at most');
    }
  });

  it('may be none', () => {
    expect(read('[]')).toEqual([]);
    expect(read('', 'ndjson')).toEqual([]);
    expect(read('amount,base,quote', 'csv')).toEqual([]);
  });
});

describe('a body that can not be read', () => {
  it.each<[string, Format, string]>([
    ['[', 'json', 'the body: is no JSON'],
    ['{"amount":"1"}', 'json', 'the body must be a JSON array of lines'],
    ['[{}, 1]', 'json', 'line 2: must be an object'],
    ['[null]', 'json', 'line 1: must be an object'],
    ['[[]]', 'json', 'line 1: must be an object'],
    ['{}\n\n{', 'ndjson', 'line 3: is no JSON'],
    ['{}\n"x"', 'ndjson', 'line 2: must be an object'],
    ['', 'csv', 'line 1: the column amount, base, quote is missing'],
    ['amount,quote\n', 'csv', 'line 1: the column base is missing'],
    ['amount,base,quote,rate\n', 'csv', 'line 1: unknown column: rate'],
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
  ])('is named by its line: %j', (body, format, message) => {
    expect(refusal(body, format)).toBe(`422 ${message}`);
  });

  it('has the fault of the parser as its cause', () => {
    expect(() => readLines('[', 'json')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) }));
  });
});

describe('the columns of CSV', () => {
  it('come in any order and case, with spaces or a byte order mark around', () => {
    for (const cell of ['EUR', '"EUR"']) {
      const body = `\ufeffQuote, AMOUNT ,base\r\nUSD , 1,${cell}\r\n\r\n`;
      expect(read(body, 'csv')).toEqual([LINE]);
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
    ['blank lines of NDJSON', '\n'.repeat(2_000_000), 'ndjson', 'line 20001: there are 10000 lines at most'],
    [
      'blank lines of CSV',
      `"\n${'\r'.repeat(2_000_000)}`,
      'csv',
      'line 20001: there are 10000 lines at most',
    ],
  ] as const)('are refused before they are looked into: %s', (_, body, format, message) => {
    expect(refusal(body, format)).toBe(`422 ${message}`);
  });

  it.each(['id', 'amount', 'date'])('are refused where their %s is nested deep', (member) => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const line = (depth: number) =>
      `[{"amount":"1","base":"EUR","quote":"USD","${member}":${nested(depth)}}]`;
    for (const depth of [22, 5_000, 200_000])
      expect(refusal(line(depth), 'json')).toBe('422 line 1: is nested too deep');
    const expected = {
      id: LINE,
      amount: { error: 'invalid amount: […]' },
      date: { error: 'invalid date: […]' },
    };
    expect(read(line(20))).toEqual([expected[member as keyof typeof expected]]);
  });
});
