import { COARSE_BELOW, FEW_DIGITS } from '../../domain/blend/coarse.js';
import { exceptedProviders, neverBlended, type Provider, providers } from '../../domain/providers.js';

/**
 * The SQL condition that rows of `rates` meet if they may be blended, by what the providers' descriptions say and by
 * their digits (see `isCoarse`). COPY takes no parameters: keys, codes and days are checked ones.
 */
export function blendedCondition(): string {
  const isCoarse = `rate < ${COARSE_BELOW} and rate::text ~ '${FEW_DIGITS.source}'`;
  return `not (${isCoarse}) and ${conditionWithout((provider) => reasonsOf(provider, 'date'))}`;
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
function reasonsOf(provider: Provider, date: string): string[] {
  const { blend_from, blend_currencies, blend_without = [], beyond_end = [] } = provider;
  const without = [...blend_without.map(({ currency }) => currency), ...beyond_end];
  return [
    ...(blend_from === undefined ? [] : [`${date} < '${blend_from}'`]),
    ...(blend_currencies === undefined ? [] : [`not ${isOf(blend_currencies)}`]),
    ...(without.length === 0 ? [] : [isOf(without)]),
  ];
}

/** Whether a pair has one of these currencies. */
function isOf(currencies: readonly string[]): string {
  const codes = currencies.map((code) => `'${code}'`).join(', ');
  return `(base in (${codes}) or quote in (${codes}))`;
}
