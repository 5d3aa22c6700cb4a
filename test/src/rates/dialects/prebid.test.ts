import { describe, expect, it } from 'vitest';
import { ask, json, routes } from './in-process.js';

type Conversions = Record<string, Record<string, number>>;

async function conversions(query = ''): Promise<Conversions> {
  return (await json<{ conversions: Conversions }>(`/prebid/latest.json${query}`)).conversions;
}

describe("Prebid's currency file", () => {
  it('says when it was made, and of which day the rates are', async () => {
    const { text, headers } = await ask('/prebid/latest.json');
    expect(text).toMatch(
      /^\{"generatedAt":"2026-03-19T23:59:59\.000Z","dataAsOf":"2026-03-19T00:00:00\.000Z","conversions":\{"USD":\{"AED":3\.6725,/,
    );
    expect(headers).toMatchObject({ 'x-rates-as-of': '2026-03-19' });
  });

  it('has twelve significant digits, and the base among them', async () => {
    expect(await conversions()).toMatchObject({
      USD: { USD: 1, EUR: 0.866100814135, GBP: 0.751169236099, IDR: 16939.4123256 },
      GBP: { GBP: 1, EUR: 1.15300357431 },
      EUR: { EUR: 1, USD: 1.1546, XOF: 655.957 },
    });
  });

  it.each([
    ['', ['USD', 'GBP', 'EUR']],
    ['?bases=', ['USD', 'GBP', 'EUR']],
    ['?bases=jpy, EUR,usd,EUR', ['USD', 'JPY', 'EUR']],
    ['?bases=EUR&bases=GBP', ['GBP']],
    ['?bases=EUR,HRK', ['EUR']],
    ['?date=20260306', ['USD', 'GBP', 'EUR']],
  ])('has the bases of %s', async (query, expected) => {
    const found = await conversions(query);
    expect(Object.keys(found)).toEqual(expected);
    for (const rates of Object.values(found))
      expect(Object.keys(rates)).toEqual(Object.keys(rates).toSorted());
  });

  it('has all that there are, the dollar first', async () => {
    const found = await conversions('?bases=ALL');
    const [first, ...others] = Object.keys(found);
    expect(first).toBe('USD');
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(found.USD ?? {}));
    expect(others).toEqual(others.toSorted());
    expect(found.IDR).toMatchObject({ EUR: 0.0000511293306692, IDR: 1 });
  });

  it('costs as much as it has bases', async () => {
    const cost = async (query: string) => (await routes.cost(`/prebid/latest.json${query}`))?.rows ?? 0;
    expect(await cost('?bases=USD,GBP')).toBe(2 * (await cost('?bases=USD')));
    expect(await cost('?bases=all')).toBe(180 * (await cost('?bases=USD')));
  });

  it('is not made of what is no currency, or has no rates', async () => {
    expect(await ask('/prebid/latest.json?bases=USD,EURO')).toMatchObject({
      status: 422,
      faults: [{ parameter: 'bases', message: expect.stringContaining('invalid currency: EURO') }],
    });
    expect(await ask('/prebid/latest.json?bases=HRK')).toMatchObject({
      status: 404,
      message: 'no rates of HRK',
    });
  });
});
