import { expect, it } from 'vitest';
import * as z from 'zod';
import { errorBody, HttpError } from '../../../src/http/errors.js';
import {
  currencyCode,
  currencyList,
  dateParameter,
  instantParameter,
  listOf,
  oneOf,
  pageLimit,
  providerList,
} from '../../../src/parameters/currency-parameters.js';
import { check, lenientQuery, strictQuery } from '../../../src/parameters/query.js';
import {
  decimalParameter,
  integerParameter,
  textParameter,
  trimmedParameter,
} from '../../../src/parameters/utility-parameters.js';
import { processorMs } from '../../support/processor-time.js';

const strict = strictQuery(
  z.object({
    base: currencyCode.default('EUR'),
    quotes: currencyList.optional(),
    providers: providerList.optional(),
    from: dateParameter.optional(),
    group: oneOf(['week', 'month']).optional(),
    expand: listOf(['providers', 'stats']).optional(),
  }),
  { joined: ['quotes', 'providers'] },
);
const lenient = lenientQuery(
  z.object({ q: textParameter('q', 1, 3), n: integerParameter('n', 1, 9).optional() }),
);

function errorOf(work: () => unknown): HttpError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
}

function refusalOf(work: () => unknown): HttpError {
  const error = errorOf(work);
  if (!error) throw new Error('it is not refused');
  return error;
}

const namesOf = ({ parameters }: HttpError) => parameters.map(({ parameter }) => parameter);

const faultOf = (query: string) => refusalOf(() => strict.read(`/v2/rates?${query}`));

it.each([
  ['', {}],
  ['?', {}],
  ['?base=&quotes=', {}],
  ['?base=%20usd%20', { base: 'USD' }],
  ['?base=+usd', { base: 'USD' }],
  ['?base=&base=usd', { base: 'USD' }],
  ['?quotes=usd,gbp,,usd', { quotes: ['USD', 'GBP'] }],
  ['?quotes=usd&quotes=gbp', { quotes: ['USD', 'GBP'] }],
  ['?quotes=usd%2Cgbp', { quotes: ['USD', 'GBP'] }],
  ['?providers=ecb', { providers: ['ECB'] }],
  ['?from=2024-02-29', { from: '2024-02-29' }],
  ['?group=Week', { group: 'week' }],
  ['?expand=Stats,,stats,', { expand: ['stats'] }],
  ['?providers=,&providers=ecb', { providers: ['ECB'] }],
])('a strict query %j is understood', (query, values) => {
  expect(strict.read(`/v2/rates${query}`)).toEqual({ base: 'EUR', ...values });
});

it.each([
  ...['provider=ECB', 'quotes[]=USD', 'base[a]=USD', '__proto__=1', 'constructor=1', 'BASE=USD', 'base=US'],
  ...['base=XXX', 'base=USD%00', 'from=2025-2-3', 'from=20250203', 'group=day', 'quotes=,', 'quotes=+,+'],
  ...['providers=%2C,', 'providers=,&providers=,', 'a=1&a=2&base=zzz&a'],
])('a strict query %s is refused by the name of its parameter', (query) => {
  const fault = faultOf(query);
  expect([fault.status, namesOf(fault)]).toEqual([422, [query.split('=')[0]]]);
});

it.each([
  ['base=zzz', 'invalid currency: ZZZ'],
  ['quotes=USD,zzz,yyy', 'invalid currency: ZZZ, YYY'],
  ['providers=ECB,nope', 'invalid provider: NOPE'],
  ['providers=,', 'invalid provider: ,'],
  ['x1=zzz', 'unknown parameter: x1 (accepted: base, quotes, providers, from, group, expand)'],
  ['bas=zzz', 'unknown parameter: bas (did you mean base?)'],
  ['base=USD&base=EUR&from=x', 'base is given more than once'],
  ['group=hour&expand=x', 'group must be week or month, not hour; expand must be providers or stats, not x'],
  ['expand=Stats,x', 'expand must be providers or stats, not x'],
  ['expand=,', 'expand must be providers or stats, not ,'],
  ['from=2025-02-30', 'from must be YYYY-MM-DD: 2025-02-30 is not a date'],
])('a strict query %s is refused: %s', (query, message) => {
  expect(faultOf(query).message).toBe(message);
});

it('a strict query without any parameter says so', () => {
  const message = 'unknown parameter: a (none are accepted here)';
  expect(refusalOf(() => strictQuery(z.object({})).read('/?a')).message).toBe(message);
});

it('a strict query is refused for every fault, with ten of them at most', () => {
  expect(namesOf(faultOf('base=zzz&from=x'))).toEqual(['base', 'from']);
  expect(namesOf(faultOf('bas=USD&form=x'))).toEqual(['bas', 'form']);
  const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
  expect(namesOf(faultOf(names.join('&')))).toEqual(names.slice(0, 10));
  const codes = Array.from({ length: 200 }, (_, index) => `Q${index}`);
  const shown = `invalid currency: ${codes.slice(0, 10).join(', ')} and 190 more`;
  expect(faultOf(`quotes=${codes.join(',')}`).message).toBe(shown);
  expect(namesOf(faultOf(`${'a'.repeat(39)}😀${'b'.repeat(1_000)}=1`))).toEqual([`${'a'.repeat(39)}…`]);
});

it('a strict query whose percent-encoding can not be read is a 400, unless a fault came before', () => {
  const message = 'malformed percent-encoding in the query: write % itself as %25';
  for (const query of ['base=%E0%A4%A', '%']) expect(faultOf(query)).toMatchObject({ status: 400, message });
  const repeated = faultOf(`${'a&'.repeat(1_000)}%zz`);
  expect([repeated.status, namesOf(repeated)]).toEqual([422, ['a']]);
});

it.each([
  ['?q=a', { q: 'a' }],
  ['?q=+a', { q: ' a' }],
  ['?&&q=%20&x=1&n=', { q: ' ' }],
  ['?n=2&q==', { n: 2, q: '=' }],
])('a lenient query %s is understood', (query, values) => {
  expect(lenient.read(`/${query}`)).toEqual(values);
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
])('a lenient query %s is refused: %s', (query, message) => {
  const refused = refusalOf(() => lenient.read(`/${query}`));
  const parameter = message.slice(0, 1);
  expect(refused).toMatchObject({ status: 400, message, parameters: [{ parameter, message }] });
});

/** Expects every reader's error for a query, where there is one, to be small. Returns how many there are. */
function expectSmall(query: string): number {
  const errors = [strict, lenient].flatMap((reader) => errorOf(() => reader.read(`/path?${query}`)) ?? []);
  for (const error of errors) expect(Buffer.byteLength(JSON.stringify(errorBody(error)))).toBeLessThan(8_192);
  return errors.length;
}
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

it.each([
  ['a&a&…', 'a&'.repeat(65_000)],
  ['130 KB of names', numbered('n', 20_000).join('&')],
  ['a name of 130 KB', `${'n'.repeat(130_000)}=1`],
  ['a name of control characters', `${'%01'.repeat(40_000)}=1`],
  ['a list of 30,000', `quotes=${numbered('q', 30_000).join()}`],
  ['a base of 130 KB', `base=${'z'.repeat(130_000)}`],
  ['a date of 130 KB', `from=${'9'.repeat(130_000)}`],
  ['a group of 130 KB', `group=${'%00'.repeat(43_000)}`],
  ['a list joined of 14,000', 'quotes=q'.concat('&quotes=q'.repeat(14_000))],
])('the error for a query is small, and found soon, for %s', (_, query) => {
  const started = processorMs();
  expect(expectSmall(query)).toBe(2);
  expect(processorMs() - started).toBeLessThan(500);
});

const parsed = (type: z.ZodType, text: unknown) => {
  const { success, data, error } = type.safeParse(text);
  return success ? data : error.issues[0]?.message;
};

const utc = (...[hour, ...parts]: [number, ...number[]]) => Date.UTC(2026, 2, 5, hour, ...parts);

const decimal = decimalParameter('x', -90, 90);
const integer = integerParameter('x', 2, 30);
const [text, trimmed] = [textParameter('x', 2, 3), trimmedParameter('x', 2, 3)];
const INSTANTS = {
  ...{ '2026-03-05': utc(24) - 1, '2026-03-05T16:00:00Z': utc(16), '2026-03-05t16:00:00z': utc(16) },
  ...{ '2026-03-05T16:00:00.1239Z': utc(16, 0, 0, 123), '2026-03-05T16:00:00+02:30': utc(13, 30) },
};

it.each<[string, z.ZodType, Record<string, unknown>]>([
  ['an instant', instantParameter, INSTANTS],
  ['a limit', pageLimit, { '1': 1, '10000': 10_000 }],
  ['a decimal', decimal, { '-90': -90, '90.000': 90, '+.5': 0.5, '5.': 5, '-0': 0 }],
  ['a whole number', integer, { '2': 2, '030': 30 }],
  ['a text', text, { ab: 'ab', '😀😀😀': '😀😀😀', ' a ': ' a ' }],
  ['a text without blanks around it', trimmed, { ab: 'ab', '😀😀😀': '😀😀😀', ' abc ': 'abc' }],
])('a schema reads %s', (_, type, taken) => {
  for (const [given, value] of Object.entries(taken))
    expect([given, parsed(type, given)]).toEqual([given, value]);
});

const NO_INSTANT = 'must be a date or an instant such as 2026-03-05T16:00:00Z: GIVEN is neither';
it.each<[string, z.ZodType, readonly string[]]>([
  [NO_INSTANT, instantParameter, ['2026-02-30', '2026-02-30T10:00:00Z', '2026-03-05T25:00:00Z', '']],
  [NO_INSTANT, instantParameter, ['2026-03-05T16:00:00', 'x2026-03-05', '2026-03-05x']],
  ['limit must be a whole number from 1 to 10000', pageLimit, ['0', '10001', '000001', '1.5', '1e3', ' 7']],
  ['x must be a number from -90 to 90', decimal, ['90.1', '-90.1', '.', '1e1', '0x1', ' 1', '1 ', '']],
  ['x must be a number from -90 to 90', decimal, ['0'.repeat(21), `0.${'0'.repeat(31)}`]],
  ['x must be a whole number from 2 to 30', integer, ['1', '31', '-2', '2.0', '0000000002', 'a2', '2a']],
  ['x must have 2 to 3 characters', text, ['😀', 'abcd', '😀😀😀😀', ' abc ']],
  ['x must have 2 to 3 characters', trimmed, ['😀', 'abcd', '😀😀😀😀', ' a ']],
])('a schema refuses values in these words: %s', (message, type, refused) => {
  for (const given of refused)
    expect([given, parsed(type, given)]).toEqual([given, message.replace('GIVEN', given)]);
});

it('a page is a thousand where no limit is given', () => {
  expect(parsed(pageLimit, undefined)).toBe(1_000);
});

const members = z.object({ q: z.string(), n: z.number().optional(), tags: z.array(z.string()).optional() });

it.each([
  [z.object({ a: z.string() }), { a: 1 }, 'a must be of type string'],
  [z.object({ a: z.string() }), {}, 'a is required'],
  [z.object({ a: z.enum(['b', 'c']) }), { a: 'd' }, 'a must be b or c'],
  [z.object({ a: z.string().min(2) }), { a: 'b' }, 'a must be in a form that is allowed'],
  [z.strictObject({}), { a: 1, b: 2 }, 'body must not have a, b'],
])('what a schema says without words of its own: %#', (schema, body, message) => {
  expect(refusalOf(() => check(schema, body)).message).toBe(message);
});

it('a body is checked strictly, with ten faults at most', () => {
  expect(check(members, { q: 'a' })).toEqual({ q: 'a' });
  const refused = refusalOf(() => check(members, { q: 1, n: 'x' }));
  expect([refused.status, namesOf(refused)]).toEqual([422, ['q', 'n']]);
  expect(refused.message).toBe(refused.parameters.map(({ message }) => message).join('; '));
  expect(namesOf(refusalOf(() => check(members, 'text')))).toEqual(['body']);
  const many = z.record(z.string(), z.number());
  const values = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`p${at}`, 'x']));
  expect(refusalOf(() => check(many, values)).parameters).toHaveLength(10);
});
