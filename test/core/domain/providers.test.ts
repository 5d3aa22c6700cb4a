import { afterEach, describe, expect, it } from 'vitest';
import {
  daysAheadOf,
  isBlended,
  type Provider,
  periodOf,
  providerOf,
  providers,
  setOwnProviders,
} from '../../../core/domain/providers.js';

const own = (key: string, changed: Partial<Provider> = {}): Provider => ({
  key,
  name: 'Our bank',
  country_code: null,
  rate_type: null,
  pivot_currency: 'EUR',
  homepage: null,
  data_url: null,
  terms_url: null,
  terms_restrict: null,
  publish_schedule: null,
  publish_cadence: null,
  coverage_start: null,
  ...changed,
});
const shipped = providers.map(({ key }) => key);
const keys = () => providers.map(({ key }) => key);

afterEach(() => setOwnProviders([]));

describe('what a provider says of its rates', () => {
  it.each([
    ['ECB', 2, undefined, true],
    ['HMRC', 33, 'month', false],
    ['JPC', 9, 'week', false],
    ['UST', 2, 'quarter', false],
    ['NOBODY', 2, undefined, true],
  ])('%s: %i days ahead, valid for a %s, blended: %s', (key, ahead, period, blended) => {
    expect([daysAheadOf(key), periodOf(key), isBlended(key)]).toEqual([ahead, period, blended]);
  });

  it('is found by its key', () => {
    expect(providerOf('ECB')).toMatchObject({ key: 'ECB', pivot_currency: 'EUR' });
    expect(providerOf('NOBODY')).toBeUndefined();
  });
});

describe("the operator's own sources", () => {
  it('stand among the others in the order of their keys', () => {
    setOwnProviders([own('ZZZ'), own('AAA', { lead_days: 3, blend: false })]);
    expect(keys()).toEqual(['AAA', ...shipped, 'ZZZ']);
    expect(providerOf('ZZZ')).toEqual(own('ZZZ'));
    expect([daysAheadOf('AAA'), isBlended('AAA'), isBlended('ZZZ')]).toEqual([5, false, true]);
    expect(providerOf('ECB')?.key).toBe('ECB');
  });

  it('replace those that were there before', () => {
    setOwnProviders([own('AAA')]);
    setOwnProviders([own('ZZZ')]);
    expect(keys()).toEqual([...shipped, 'ZZZ']);
    expect(providerOf('AAA')).toBeUndefined();
  });

  it.each([
    ['one that ships', [own('AAA'), own('ECB')], 'ECB'],
    ['another one of them', [own('AAA'), own('ZZZ'), own('AAA')], 'AAA'],
  ])('may not have the key of %s', (_, two, key) => {
    setOwnProviders([own('OLD')]);
    expect(() => setOwnProviders(two)).toThrow(new RangeError(`there is a provider ${key} already`));
    expect(keys()).toEqual([...shipped, 'OLD'].sort());
    expect(providerOf('OLD')).toBeDefined();
  });
});
