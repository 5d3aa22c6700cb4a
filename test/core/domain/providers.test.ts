import { afterEach, expect, it } from 'vitest';
import {
  daysAheadOf,
  exceptedProviders,
  exceptProviders,
  isBlended,
  isExcepted,
  isOfDays,
  neverBlended,
  type Provider,
  periodOf,
  providerOf,
  providers,
  setCustomProviders,
} from '../../../core/domain/providers.js';

const own = (key: string, changed: Partial<Provider> = {}): Provider => ({
  ...{ key, name: 'Our bank', country_code: null, rate_type: null, pivot_currency: 'EUR', homepage: null },
  ...{ data_url: null, terms_url: null, terms_restrict: null, publish_schedule: null, publish_cadence: null },
  ...{ coverage_start: null, ...changed },
});
const shipped = providers.map(({ key }) => key);
const keys = () => providers.map(({ key }) => key);

afterEach(() => {
  setCustomProviders([]);
  exceptProviders([]);
});

it.each([
  ['ECB', 2, undefined, true, true],
  ['HMRC', 33, 'month', false, false],
  ['JPC', 9, 'week', false, false],
  ['UST', 2, 'quarter', false, false],
  ['BAZG', 2, 'day', false, true],
  ['NOBODY', 2, undefined, true, true],
])('%s: %i days ahead, valid for a %s, blended: %s, of single days: %s', (key, ...wanted) => {
  expect([daysAheadOf(key), periodOf(key), isBlended(key), isOfDays(key)]).toEqual(wanted);
});

it("the operator's custom sources stand among the others in the order of their keys, in place of earlier ones", () => {
  setCustomProviders([own('OLD')]);
  setCustomProviders([own('ZZZ'), own('AAA', { lead_days: 3, blend: false })]);
  expect(keys()).toEqual(['AAA', ...shipped, 'ZZZ']);
  expect(['ZZZ', 'OLD', 'NOBODY'].map(providerOf)).toEqual([own('ZZZ'), undefined, undefined]);
  expect([daysAheadOf('AAA'), isBlended('AAA'), isBlended('ZZZ')]).toEqual([5, false, true]);
  expect(providerOf('ECB')).toMatchObject({ key: 'ECB', pivot_currency: 'EUR' });
});

it.each([
  ['one that ships', [own('AAA'), own('ECB')], 'ECB'],
  ['another one of them', [own('AAA'), own('ZZZ'), own('AAA')], 'AAA'],
])("the operator's custom sources may not have the key of %s", (_, two, key) => {
  setCustomProviders([own('OLD')]);
  expect(() => setCustomProviders(two)).toThrow(new RangeError(`there is a provider ${key} already`));
  expect(keys()).toEqual([...shipped, 'OLD'].sort());
  expect(providerOf('OLD')).toBeDefined();
});

it('providers that are excepted are none: not listed, not found, not blended', () => {
  exceptProviders(['ECB', 'BDL', 'ECB']);
  expect(keys()).toEqual(shipped.filter((key) => key !== 'BDL' && key !== 'ECB'));
  expect([providerOf('ECB'), isBlended('ECB'), isExcepted('ECB')]).toEqual([undefined, false, true]);
  expect([isBlended('BOC'), isExcepted('BOC'), isExcepted('NOBODY')]).toEqual([true, false, false]);
  expect(exceptedProviders()).toEqual(['BDL', 'ECB']);
  expect(neverBlended()).toEqual(expect.arrayContaining(['BDL', 'ECB', 'HMRC']));
});

it('providers that are excepted are back once they are not excepted any more', () => {
  exceptProviders(['ECB', 'HMRC']);
  exceptProviders(['BDL']);
  expect(keys()).toEqual(shipped.filter((key) => key !== 'BDL'));
  expect([providerOf('ECB')?.key, isBlended('ECB'), isBlended('HMRC')]).toEqual(['ECB', true, false]);
  exceptProviders([]);
  expect([keys(), exceptedProviders()]).toEqual([shipped, []]);
  expect(neverBlended()).not.toContain('BDL');
});

it("providers that are excepted may be the operator's own, and must be known", () => {
  setCustomProviders([own('AAA'), own('ZZZ')]);
  exceptProviders(['ZZZ']);
  expect(keys()).toEqual(['AAA', ...shipped]);
  expect(() => exceptProviders(['ECB', 'NOBODY'])).toThrow(new RangeError('there is no provider NOBODY'));
  expect(exceptedProviders()).toEqual(['ZZZ']);
});
