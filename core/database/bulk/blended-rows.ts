import { COARSE_BELOW, coarseBelow, exclusionsOf, FEW_DIGITS } from '../../domain/blend/exclusions.js';
import { exceptedProviders, neverBlended, type Provider, providers } from '../../domain/providers.js';
import { literally, type Sql } from '../sql.js';

/** SQL for rows of `rates` that may be blended (see `isCoarse`). Keys, codes and days are validated before. */
export function blendedCondition(): Sql {
  const fine = providers
    .filter(({ decimals }) => decimals !== undefined)
    .map((provider) => `(provider = '${provider.key}' and rate >= ${coarseBelow(provider)})`);
  const hasFewDigits = `rate < ${COARSE_BELOW} and rate::text ~ '${FEW_DIGITS.source}'`;
  const isCoarse = [hasFewDigits, ...fine].join(' and not ');
  const included = conditionWithout((provider) => reasonsOf(provider, { first: 'date', last: 'date' }));
  return literally(`not (${isCoarse}) and ${included}`);
}

/** The condition for rows of `pair_coverage` with rates that may be blended. */
export function blendedPairCondition(): Sql {
  return literally(
    conditionWithout((provider) => reasonsOf(provider, { first: 'start_date', last: 'end_date' })),
  );
}

/** The end of a row of `pair_coverage` that may be blended, or of its currency if that is earlier. */
export function blendedUntil(): Sql {
  const cases = providers.flatMap((provider) =>
    exclusionsOf(provider).flatMap(({ currencies = [], from }) =>
      from === undefined
        ? []
        : [
            `when provider = '${provider.key}' and ${isOf(currencies)} then least(end_date, '${from}'::date - 1)`,
          ],
    ),
  );
  return literally(cases.length > 0 ? `case ${cases.join(' ')} else end_date end` : 'end_date');
}

/** The condition for rows with a `provider` that may be shown, because the provider is not excepted. */
export function shownCondition(): Sql {
  return literally(noneOf(exceptedProviders()));
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
  return exclusionsOf(provider).map(({ from, before, currencies, otherThan }) =>
    [
      ...(from === undefined ? [] : [`${first} >= '${from}'`]),
      ...(before === undefined ? [] : [`${last} < '${before}'`]),
      ...(currencies === undefined ? [] : [isOf(currencies)]),
      ...(otherThan === undefined ? [] : [`not ${isOf(otherThan)}`]),
    ].join(' and '),
  );
}

function isOf(currencies: readonly string[]): string {
  const codes = currencies.map((code) => `'${code}'`).join(', ');
  return `(base in (${codes}) or quote in (${codes}))`;
}
