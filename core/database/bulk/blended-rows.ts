import { COARSE_BELOW, FEW_DIGITS } from '../../domain/blend/coarse.js';
import { lifetimeOf } from '../../domain/currencies.js';
import { exceptedProviders, neverBlended, type Provider, providers } from '../../domain/providers.js';

/** SQL for rows of `rates` that may be blended (see `isCoarse`). Keys, codes and days are validated before. */
export function blendedCondition(): string {
  const isCoarse = `rate < ${COARSE_BELOW} and rate::text ~ '${FEW_DIGITS.source}'`;
  return `not (${isCoarse}) and ${conditionWithout((provider) => reasonsOf(provider, { first: 'date', last: 'date' }))}`;
}

/** The condition for rows of `pair_coverage` with rates that may be blended. */
export function blendedPairCondition(): string {
  return conditionWithout((provider) => reasonsOf(provider, { first: 'start_date', last: 'end_date' }));
}

/** The end of a row of `pair_coverage` that may be blended, or of its currency if that is earlier. */
export function blendedUntil(): string {
  const cases = providers.flatMap(({ key, beyond_end = [] }) =>
    beyond_end.map(
      (code) =>
        `when provider = '${key}' and ${isOf([code])} then least(end_date, '${endOf(code)}'::date - 1)`,
    ),
  );
  return cases.length > 0 ? `case ${cases.join(' ')} else end_date end` : 'end_date';
}

/** The condition for rows with a `provider` that may be shown, because the provider is not excepted. */
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

/** Conditions under which no rate of a pair is blended between two days, given as columns. */
function reasonsOf(provider: Provider, { first, last }: { first: string; last: string }): string[] {
  const { blend_from, blend_currencies, blend_without = [], beyond_end = [] } = provider;
  const without = blend_without.map(({ currency }) => currency);
  return [
    ...(blend_from === undefined ? [] : [`${last} < '${blend_from}'`]),
    ...beyond_end.map((code) => `${isOf([code])} and ${first} >= '${endOf(code)}'`),
    ...(blend_currencies === undefined ? [] : [`not ${isOf(blend_currencies)}`]),
    ...(without.length === 0 ? [] : [isOf(without)]),
  ];
}

function endOf(code: string): string {
  return lifetimeOf(code).until ?? 'infinity';
}

function isOf(currencies: readonly string[]): string {
  const codes = currencies.map((code) => `'${code}'`).join(', ');
  return `(base in (${codes}) or quote in (${codes}))`;
}
