import { type Provider, providers } from '../../domain/providers.js';

/**
 * The SQL condition that rows of `rates` meet if they may be blended, by what the providers' descriptions say. COPY
 * takes no parameters: keys, codes, days and numbers are checked ones.
 */
export function blendedCondition(): string {
  const never = providers.filter(({ blend }) => blend === false).map(({ key }) => `'${key}'`);
  const excluded = providers.flatMap((provider) =>
    reasonsOf(provider).map((reason) => `not (provider = '${provider.key}' and ${reason})`),
  );
  return [...(never.length > 0 ? [`provider not in (${never.join(', ')})`] : []), ...excluded].join(' and ');
}

/** When a row of the provider is not blended. */
function reasonsOf({ blend_from, blend_currencies, blend_min_rate }: Provider): string[] {
  const codes = blend_currencies?.map((code) => `'${code}'`).join(', ');
  return [
    ...(blend_from === undefined ? [] : [`date < '${blend_from}'`]),
    ...(codes === undefined ? [] : [`base not in (${codes}) and quote not in (${codes})`]),
    ...(blend_min_rate === undefined ? [] : [`rate < ${blend_min_rate}`]),
  ];
}
