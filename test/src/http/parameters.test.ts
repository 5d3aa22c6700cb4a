import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  currencyCode,
  currencyList,
  dateParameter,
  listOf,
  oneOf,
  providerList,
} from '../../../src/http/currency-parameters.js';
import { HttpError } from '../../../src/http/errors.js';
import { strictQuery } from '../../../src/http/query.js';

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

function faultOf(query: string): HttpError {
  try {
    read(query);
  } catch (error) {
    if (error instanceof HttpError) return error;
    throw error;
  }
  throw new Error(`${query} is not refused`);
}

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
    expect(faultOf('?quotes=USD,zzz,yyy').message).toBe('invalid currency: ZZZ, YYY');
    expect(faultOf('?providers=,').message).toBe('invalid provider: ,');
    expect(faultOf('?expand=,').message).toBe('must be providers or stats: ,');
    expect(faultOf('?from=2025-02-30').message).toBe('invalid date, YYYY-MM-DD is wanted: 2025-02-30');
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
