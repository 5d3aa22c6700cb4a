import { describe, expect, it } from 'vitest';
import { codeIn, providerIn } from '../../../../src/rates/routes/path-codes.js';

describe('a path', () => {
  it('names a currency in any case', () => {
    expect([codeIn('EUR'), codeIn(' usd ')]).toEqual(['EUR', 'USD']);
  });

  it('names a provider in any case', () => {
    expect([providerIn('ECB'), providerIn(' boc ')]).toEqual(['ECB', 'BOC']);
  });

  it('with what is neither is a 404 that says so', () => {
    const refusal = (status: number, message: string) => expect.objectContaining({ status, message });
    expect(() => codeIn('zzz')).toThrow(refusal(404, 'no such currency: ZZZ'));
    expect(() => codeIn()).toThrow(refusal(404, 'no such currency: '));
    expect(() => providerIn('nope')).toThrow(refusal(404, 'no such provider: NOPE'));
    expect(() => providerIn()).toThrow(refusal(404, 'no such provider: '));
  });
});
