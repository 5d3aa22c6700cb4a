import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  currencyCode,
  currencyList,
  dateParameter,
  instantParameter,
  listOf,
  oneOf,
  pageLimit,
  providerList,
} from '../../../src/http/currency-parameters.js';
import { HttpError } from '../../../src/http/errors.js';
import { check, checkLeniently, lenientQuery, strictQuery } from '../../../src/http/query.js';
import {
  decimalParameter,
  integerParameter,
  textParameter,
  trimmedParameter,
} from '../../../src/http/utility-parameters.js';

const schema = z.object({
  base: currencyCode.default('EUR'),
  quotes: currencyList.optional(),
  providers: providerList.optional(),
  from: dateParameter.optional(),
  group: oneOf(['week', 'month']).optional(),
  expand: listOf(['providers', 'stats']).optional(),
});
const reader = strictQuery(schema, { joined: ['quotes', 'providers'] });
const read = (query: string) => reader.read(`/v2/rates${query}`);

function refusalOf(work: () => unknown): HttpError {
  try {
    work();
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
  throw new Error('it is not refused');
}

const faultOf = (query: string) => refusalOf(() => read(query));

describe('a query that is understood', () => {
  it.each([
    ['', { base: 'EUR' }],
    ['?', { base: 'EUR' }],
    ['?base=&quotes=', { base: 'EUR' }],
    ['?base=%20usd%20', { base: 'USD' }],
    ['?base=+usd', { base: 'USD' }],
    ['?base=&base=usd', { base: 'USD' }],
    ['?quotes=usd,gbp,,usd', { base: 'EUR', quotes: ['USD', 'GBP'] }],
    ['?quotes=usd&quotes=gbp', { base: 'EUR', quotes: ['USD', 'GBP'] }],
    ['?quotes=usd%2Cgbp', { base: 'EUR', quotes: ['USD', 'GBP'] }],
    ['?providers=ecb', { base: 'EUR', providers: ['ECB'] }],
    ['?from=2024-02-29', { base: 'EUR', from: '2024-02-29' }],
    ['?group=Week', { base: 'EUR', group: 'week' }],
    ['?expand=Stats,,stats,', { base: 'EUR', expand: ['stats'] }],
    ['?providers=,&providers=ecb', { base: 'EUR', providers: ['ECB'] }],
  ])('%s', (query, values) => {
    expect(read(query)).toEqual(values);
  });
});

describe('a query that is refused', () => {
  it.each([
    ['?provider=ECB', 'provider'],
    ['?quotes[]=USD', 'quotes[]'],
    ['?base[a]=USD', 'base[a]'],
    ['?__proto__=1', '__proto__'],
    ['?constructor=1', 'constructor'],
    ['?BASE=USD', 'BASE'],
    ['?base=USD&base=EUR', 'base'],
    ['?base=ZZZ', 'base'],
    ['?base=US', 'base'],
    ['?base=XXX', 'base'],
    ['?base=USD%00', 'base'],
    ['?quotes=USD,ZZZ', 'quotes'],
    ['?providers=ECB,NOPE', 'providers'],
    ['?from=2025-02-30', 'from'],
    ['?from=2025-2-3', 'from'],
    ['?from=20250203', 'from'],
    ['?group=day', 'group'],
    ['?expand=sources', 'expand'],
    ['?quotes=,', 'quotes'],
    ['?quotes=+,+', 'quotes'],
    ['?providers=%2C,', 'providers'],
    ['?providers=,&providers=,', 'providers'],
    ['?expand=,', 'expand'],
  ])('%s', (query, parameter) => {
    const fault = faultOf(query);
    expect(fault.status).toBe(422);
    expect(fault.parameters.map((one) => one.parameter)).toEqual([parameter]);
  });

  it('says what is wrong', () => {
    expect(faultOf('?base=zzz').message).toBe('invalid currency: ZZZ');
    expect(faultOf('?x1=zzz').message).toBe(
      'unknown parameter: x1 (there are base, quotes, providers, from, group, expand)',
    );
    expect(faultOf('?bas=zzz').message).toBe('unknown parameter: bas (did you mean base?)');
    expect(refusalOf(() => strictQuery(z.object({})).read('/?a')).message).toBe(
      'unknown parameter: a (there are none here)',
    );
    expect(faultOf('?base=USD&base=EUR&from=x').message).toBe('base is given more than once');
    expect(faultOf('?group=hour&expand=x').message).toBe(
      'group must be week or month, not hour; expand must be providers or stats, not x',
    );
    expect(faultOf('?expand=Stats,x').message).toBe('expand must be providers or stats, not x');
    expect(faultOf('?quotes=USD,zzz,yyy').message).toBe('invalid currency: ZZZ, YYY');
    expect(faultOf('?providers=,').message).toBe('invalid provider: ,');
    expect(faultOf('?expand=,').message).toBe('expand must be providers or stats, not ,');
    expect(faultOf('?from=2025-02-30').message).toBe('from must be YYYY-MM-DD: 2025-02-30 is no date');
  });

  it('names every fault', () => {
    expect(faultOf('?base=zzz&from=x').parameters).toHaveLength(2);
    expect(faultOf('?bas=USD&form=x').parameters).toHaveLength(2);
  });

  it('a percent-encoding that cannot be read is a 400', () => {
    expect(faultOf('?base=%E0%A4%A').status).toBe(400);
    expect(faultOf('?%').status).toBe(400);
  });
});

describe('a schema', () => {
  const parsed = (type: z.ZodType, text: unknown) => {
    const { success, data, error } = type.safeParse(text);
    return success ? data : error.issues[0]?.message;
  };

  const wrongInstant = (text: string) =>
    `must be a date or an instant such as 2026-03-05T16:00:00Z: ${text} is neither`;
  it.each([
    ['2026-03-05', Date.UTC(2026, 2, 6) - 1],
    ['2026-03-05T16:00:00Z', Date.UTC(2026, 2, 5, 16)],
    ['2026-03-05t16:00:00z', Date.UTC(2026, 2, 5, 16)],
    ['2026-03-05T16:00:00.1239Z', Date.UTC(2026, 2, 5, 16, 0, 0, 123)],
    ['2026-03-05T16:00:00+02:30', Date.UTC(2026, 2, 5, 13, 30)],
    ['2026-02-30', wrongInstant('2026-02-30')],
    ['2026-02-30T10:00:00Z', wrongInstant('2026-02-30T10:00:00Z')],
    ['2026-03-05T25:00:00Z', wrongInstant('2026-03-05T25:00:00Z')],
    ['2026-03-05T16:00:00', wrongInstant('2026-03-05T16:00:00')],
    ['x2026-03-05', wrongInstant('x2026-03-05')],
    ['2026-03-05x', wrongInstant('2026-03-05x')],
    ['', wrongInstant('')],
  ])('of an instant takes %s for %s', (text, result) => {
    expect(parsed(instantParameter, text)).toBe(result);
  });

  const wrongLimit = 'limit must be a whole number from 1 to 10000';
  it.each([
    [undefined, 1_000],
    ['1', 1],
    ['10000', 10_000],
    ['0', wrongLimit],
    ['10001', wrongLimit],
    ['000001', wrongLimit],
    ['1.5', wrongLimit],
    ['1e3', wrongLimit],
    [' 7', wrongLimit],
  ])('of a page takes %s for %s', (text, result) => {
    expect(parsed(pageLimit, text)).toBe(result);
  });

  const wrongDecimal = 'x must be a number from -90 to 90';
  it.each([
    ['-90', -90],
    ['90.000', 90],
    ['+.5', 0.5],
    ['5.', 5],
    ['-0', 0],
    ['90.1', wrongDecimal],
    ['-90.1', wrongDecimal],
    ['.', wrongDecimal],
    ['1e1', wrongDecimal],
    ['0x1', wrongDecimal],
    [' 1', wrongDecimal],
    ['1 ', wrongDecimal],
    ['', wrongDecimal],
    ['0'.repeat(21), wrongDecimal],
    [`0.${'0'.repeat(31)}`, wrongDecimal],
  ])('of a number takes %s for %s', (text, result) => {
    expect(parsed(decimalParameter('x', -90, 90), text)).toBe(result);
  });

  const wrongInteger = 'x must be a whole number from 2 to 30';
  it.each([
    ['2', 2],
    ['030', 30],
    ['1', wrongInteger],
    ['31', wrongInteger],
    ['-2', wrongInteger],
    ['2.0', wrongInteger],
    ['0000000002', wrongInteger],
    ['a2', wrongInteger],
    ['2a', wrongInteger],
  ])('of a whole number takes %s for %s', (text, result) => {
    expect(parsed(integerParameter('x', 2, 30), text)).toBe(result);
  });

  const wrongText = 'x must have 2 to 3 characters';
  it.each([
    ['ab', 'ab', 'ab'],
    ['😀😀😀', '😀😀😀', '😀😀😀'],
    ['😀', wrongText, wrongText],
    ['abcd', wrongText, wrongText],
    ['😀😀😀😀', wrongText, wrongText],
    [' a ', ' a ', wrongText],
    [' abc ', wrongText, 'abc'],
  ])('of a text takes %s for %s, and trimmed for %s', (text, plain, trimmed) => {
    expect(parsed(textParameter('x', 2, 3), text)).toBe(plain);
    expect(parsed(trimmedParameter('x', 2, 3), text)).toBe(trimmed);
  });
});

describe('a lenient query', () => {
  const reader = lenientQuery(
    z.object({ q: textParameter('q', 1, 3), n: integerParameter('n', 1, 9).optional() }),
  );

  it.each([
    ['?q=a', { q: 'a' }],
    ['?q=+a', { q: ' a' }],
    ['?&&q=%20&x=1&n=', { q: ' ' }],
    ['?n=2&q==', { n: 2, q: '=' }],
  ])('%s is understood', (query, values) => {
    expect(reader.read(`/${query}`)).toEqual(values);
  });

  it.each([
    ['', 'q is required'],
    ['?q=', 'q is required'],
    ['?q=aaaa', 'q must have 1 to 3 characters'],
    ['?q=a&q=b', 'q is given more than once'],
    ['?q[]=a', 'q must be one plain value'],
    ['?q=%00', 'q must not hold a NUL character'],
    ['?q=%ff', 'q is not percent-encoded UTF-8'],
    ['?q=a&n=x', 'n must be a whole number from 1 to 9'],
    ['?q=a&n=1&n=2', 'n is given more than once'],
  ])('%s is refused: %s', (query, message) => {
    const refused = refusalOf(() => reader.read(`/${query}`));
    const parameter = message.slice(0, 1);
    expect(refused).toMatchObject({ status: 400, message, parameters: [{ parameter, message }] });
  });
});

describe('a body', () => {
  const members = z.object({ q: z.string(), n: z.number().optional(), tags: z.array(z.string()).optional() });

  it('is checked leniently: what is empty or unknown counts as not given', () => {
    expect(checkLeniently(members, { q: 'a', n: null, x: '\0', tags: ['b'] })).toEqual({
      q: 'a',
      tags: ['b'],
    });
  });

  it.each([null, undefined, 'text', 1, []])('is refused where it is no object: %s', (body) => {
    expect(refusalOf(() => checkLeniently(members, body))).toMatchObject({
      status: 400,
      message: 'the body must be a JSON object, sent as application/json',
    });
  });

  it.each([
    [{}, ['q is required']],
    [{ q: '' }, ['q is required']],
    [{ q: 'a\0' }, ['q must not hold a NUL character']],
    [{ q: 'a', tags: ['b', '\0'] }, ['tags must not hold a NUL character']],
    [{ q: '\0', n: 'x' }, ['q must not hold a NUL character', expect.stringContaining('number')]],
  ])('is refused for %j by the names of members', (body, messages) => {
    const refused = refusalOf(() => checkLeniently(members, body));
    expect(refused).toMatchObject({ status: 400, message: messages[0] });
    expect(refused.parameters.map(({ message }) => message)).toEqual(messages);
  });

  it('is checked strictly, with ten faults at most', () => {
    expect(check(members, { q: 'a' })).toEqual({ q: 'a' });
    const refused = refusalOf(() => check(members, { q: 1, n: 'x' }));
    expect(refused).toMatchObject({ status: 422, parameters: [{ parameter: 'q' }, { parameter: 'n' }] });
    expect(refused.message).toBe(refused.parameters.map(({ message }) => message).join('; '));
    expect(refusalOf(() => check(members, 'text')).parameters[0]?.parameter).toBe('query');
    const many = z.record(z.string(), z.number());
    const values = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`p${at}`, 'x']));
    expect(refusalOf(() => check(many, values)).parameters).toHaveLength(10);
  });
});
