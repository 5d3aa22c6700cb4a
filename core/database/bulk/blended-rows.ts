import { exceptedProviders, neverBlended, type Provider, providers } from '../../domain/providers.js';

/**
 * The SQL condition that rows of `rates` meet if they may be blended, by what the providers' descriptions say. COPY
 * takes no parameters: keys, codes, days and numbers are checked ones.
 */
export function blendedCondition(): string {
  return conditionWithout((provider) => [
    ...reasonsOf(provider, 'date'),
    ...(provider.blend_min_rate === undefined ? [] : [`rate < ${provider.blend_min_rate}`]),
  ]);
}

/** The condition that rows of `pair_coverage` meet if some of their rates may be blended. */
export function blendedPairCondition(): string {
  return conditionWithout((provider) => reasonsOf(provider, 'end_date'));
}

/** The condition that rows with a `provider` meet if they may be shown: theirs is not excepted. */
export function shownCondition(): string {
  return noneOf(exceptedProviders());
}

function conditionWithout(reasons: (provider: Provider) => readonly string[]): string {
  const excluded = providers.flatMap((provider) =>
    reasons(provider).map((reason) => `not (provider = '${provider.key}' and ${reason})`),
  );
  return [noneOf(neverBlended()), ...excluded].join(' and ');
}

function noneOf(keys: readonly string[]): string {
  return keys.length > 0 ? `provider not in (${keys.map((key) => `'${key}'`).join(', ')})` : 'true';
}

/** When a pair of the provider is not blended, or not on a date. */
function reasonsOf({ blend_from, blend_currencies, beyond_end }: Provider, date: string): string[] {
  return [
    ...(blend_from === undefined ? [] : [`${date} < '${blend_from}'`]),
    ...(blend_currencies === undefined ? [] : [`not ${isOf(blend_currencies)}`]),
    ...(beyond_end === undefined ? [] : [isOf(beyond_end)]),
  ];
}

/** Whether a pair has one of these currencies. */
function isOf(currencies: readonly string[]): string {
  const codes = currencies.map((code) => `'${code}'`).join(', ');
  return `(base in (${codes}) or quote in (${codes}))`;
}
