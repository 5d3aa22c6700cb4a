import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from '../../../../src/http/errors.js';
import type { Format } from '../../../../src/http/reply.js';
import { type Line, MOST_LINES, type ReadLine, readLines } from '../../../../src/rates/lines/lines.js';
import { propertyRuns } from '../../../support/property-runs.js';

async function readAll(body: string, format: Format): Promise<ReadLine[]> {
  return readLines(body, format);
}

/** What the lines of a body say. */
async function read(body: string, format: Format = 'json'): Promise<(Line | { error: string })[]> {
  return (await readAll(body, format)).map(({ line }) => line);
}

/** What the one line says that is this but for a change. */
const readLine = async (change: object) => (await read(JSON.stringify([{ ...LINE, ...change }])))[0];

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
const FORMATS = ['json', 'ndjson', 'csv'] as const;

/** A body with these lines, which all have the same members. */
function bodyOf(lines: readonly object[], format: Format): string {
  if (format === 'json') return JSON.stringify(lines);
  const texts = lines.map((line) => (format === 'csv' ? Object.values(line).join() : JSON.stringify(line)));
  return [...(format === 'csv' ? [Object.keys(lines[0] ?? {}).join()] : []), ...texts].join('\n');
}

const ROUNDED = 'has more than 15 digits: send it as a string, as JSON numbers are rounded';
const ofAmount = (text: string) =>
  `invalid amount: ${text} (write a number of at most 30 digits such as 1250.00)`;
const MEMBERS = 'accepted: amount, base, quote, date, id, rule, period, from, to';

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
    const [json, ndjson, csv] = FORMATS.map((format) => bodyOf(lines, format)) as [string, string, string];
    for (const [body, format] of [
      [json, 'json'],
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

  it.each([
    [{ amount: 12.5, date: null }, { amount: '12.5' }],
    [{ amount: 1e-7 }, { amount: '0.0000001' }],
    [{ amount: 1e21 }, { amount: '1000000000000000000000' }],
    [{ amount: ' 7 ', base: ' eur ' }, { amount: '7' }],
    [{ date: '  ' }, {}],
  ])('have numbers without an exponent, no spaces, and nothing for null: %j', async (given, read) => {
    expect(await readLine(given)).toEqual({ ...LINE, ...read });
  });

  it.each([
    [{ amount: 'x' }, ofAmount('x')],
    [{ amount: 1e31 }, ofAmount('1e+31')],
    [{ amount: 0.1 + 0.2 }, `amount ${ROUNDED}`],
    [{ id: 2 ** 53 + 2 }, `id ${ROUNDED}`],
    [{ amount: { a: 1 } }, ofAmount('{…}')],
    [{ amount: [1] }, ofAmount('[…]')],
    [{ amount: '1.234,50 €' }, ofAmount('1.234,50 €')],
    [{ amount: null }, 'amount is required'],
    [{ base: undefined }, 'base is required'],
    [{ base: 'zzz' }, 'invalid currency: zzz'],
    [{ quote: 'eu' }, 'invalid currency: eu (did you mean EUR?)'],
    [{ date: '2026-02-30' }, 'date must be YYYY-MM-DD: 2026-02-30 is not a date'],
    [{ date: '1.3.2026' }, 'date must be YYYY-MM-DD: write 2026-03-01 for 1.3.2026'],
    [{ currency: 'EUR' }, `unknown member: currency (${MEMBERS})`],
  ])('say what is wrong with them as it was written: %j', async (change, error) => {
    expect(await readLine(change)).toEqual({ error });
  });

  it.each(FORMATS)('may be ten thousand, or none: %s', async (format) => {
    const many = (count: number) => bodyOf(Array(count).fill(LINE), format);
    expect(await read(many(MOST_LINES), format)).toHaveLength(10_000);
    expect(await refusal(many(MOST_LINES + 1), format)).toBe('422 line 10001: there are 10000 lines at most');
    expect(await read(format === 'csv' ? 'amount,base,quote' : bodyOf([], format), format)).toEqual([]);
  });
});

describe('a body that can not be read', () => {
  const COLUMNS = 'has another number of columns than the first line';
  it.each<[string, Format, string]>([
    ['[', 'json', 'the body is not valid JSON: its array is not closed'],
    ['[{}] x', 'json', 'the body has something after the array of lines'],
    ['[{},,{}]', 'json', 'line 2: is not valid JSON'],
    ['[{]}', 'json', 'the body is not valid JSON: its array is not closed'],
    ['', 'json', 'the body must be a JSON array of lines'],
    ['[{}, 1]', 'json', 'line 2: must be an object with amount, base and quote'],
    ['[[]]', 'json', 'line 1: must be an object with amount, base and quote'],
    ['{}\n\n{', 'ndjson', 'line 3: is not valid JSON'],
    ['{}\n"x"', 'ndjson', 'line 2: must be an object with amount, base and quote'],
    ['', 'csv', 'line 1: the column amount, base, quote is missing'],
    ['amount,quote\n', 'csv', 'line 1: the column base is missing'],
    ['amount,base,quote,rate\n', 'csv', `line 1: unknown column: rate (${MEMBERS})`],
    ['amount,base,quote,Base\n', 'csv', 'line 1: the column base is given more than once'],
    ['amount,base,quote\n1,EUR,USD\n\n1,EUR\n', 'csv', `line 4: ${COLUMNS}`],
    ['amount,base,quote\n1,EUR,USD,2\n', 'csv', `line 2: ${COLUMNS}`],
    ['amount,base,quote\n"1",EUR,USD\n"1",EUR\n', 'csv', `line 3: ${COLUMNS}`],
    ['amount,base,quote\n1,EU"R,USD\n', 'csv', 'line 2: is not CSV'],
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
      expect(await read(`\ufeffQuote, AMOUNT ,base\r\nUSD , 1,${cell}\r\n\r\n`, 'csv')).toEqual([LINE]);
    }
  });

  const TOO_LONG = 'line 1: is longer than 10000 characters';
  const TOO_MANY = 'line 20001: there are 10000 lines at most';
  const MANY = 2_000_000;
  it.each([
    ['a heading of two million columns', ','.repeat(MANY), 'csv', TOO_LONG],
    ['the same with quotes', `"${','.repeat(MANY)}"`, 'csv', TOO_LONG],
    ['a record over many lines', `"${'a\n'.repeat(9_000)}"`, 'csv', TOO_LONG.replace('1', '5001')],
    ['brackets of JSON', '['.repeat(MANY), 'json', TOO_LONG],
    ['a text of JSON', `["${'x'.repeat(MANY)}"]`, 'json', TOO_LONG],
    ['spaces in JSON', `[${' '.repeat(MANY)}]`, 'json', TOO_LONG],
    ['blank lines of NDJSON', '\n'.repeat(MANY), 'ndjson', TOO_MANY],
    ['blank lines of CSV', `"amount",base,quote\n${'\r'.repeat(MANY)}`, 'csv', TOO_MANY],
  ] as const)('are refused before they are looked into: %s', async (_, body, format, message) => {
    expect(await refusal(body, format)).toBe(`422 ${message}`);
  });

  it.each(['id', 'amount'])('are refused where their %s is nested deep', async (member) => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const line = (depth: number) =>
      `[{"amount":"1","base":"EUR","quote":"USD","${member}":${nested(depth)}}]`;
    for (const depth of [22, 4_000])
      expect(await refusal(line(depth), 'json')).toBe('422 line 1: is nested too deep');
    expect(await read(line(20))).toEqual([member === 'id' ? LINE : { error: ofAmount('[…]') }]);
  });
});

describe('dividing a body', () => {
  const unit = fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', '\n', '\r', ' ', 'a', '\u2028');
  const id = fc.oneof(fc.string({ unit, maxLength: 300 }), fc.string({ unit: 'binary', maxLength: 20 }));

  it('gives the lines of a JSON array, however it is written', async () => {
    const indent = fc.constantFrom(undefined, 1, '\t', '\r\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(id, fc.jsonValue({ maxDepth: 3 }))), indent, async (ids, indent) => {
        const lines = ids.map((id) => ({ ...LINE, id }));
        const body = JSON.stringify(lines, undefined, indent);
        const given = (JSON.parse(body) as { id: unknown }[]).map(({ id }) => id);
        expect((await readAll(body, 'json')).map(({ id }) => id)).toEqual(given);
      }),
    );
  });

  it('refuses what JSON.parse refuses', async () => {
    const unit = fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', ':', ' ', '1', '\n', '{}');
    const text = fc.string({ unit, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const body = `[${text}]`;
        const lines: unknown = isJson(body) ? JSON.parse(body) : [0];
        const isRead = (lines as unknown[]).every((one) => one?.constructor === Object);
        if (isRead) await expect(readAll(body, 'json')).resolves.toBeDefined();
        else expect(await refusal(body, 'json')).toMatch(/^422 /);
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
