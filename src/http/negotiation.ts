/** How a body can be coded, best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/**
 * The coding of the body that suits the client best (RFC 9110, 12.5.3): the highest weight wins, and ours is the
 * order among equals. `identity` where nothing is asked for, and where nothing that is asked for can be done.
 */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return 'identity';
  const weights = new Map(weighted(acceptEncoding).map(({ value, weight }) => [value, weight]));
  const any = weights.get('*');
  const weightOf = (encoding: Encoding): number => {
    const own = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined);
    // Without a word on it identity is acceptable, but only when no other is.
    if (encoding === 'identity') return own ?? (any === 0 ? 0 : 0.0001);
    return own ?? any ?? 0;
  };
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const encoding of ENCODINGS) {
    const weight = weightOf(encoding);
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

/**
 * The media type, of those offered, that suits the client best (RFC 9110, 12.5.1): the first one without an
 * `Accept`, undefined where none is acceptable. Parameters other than the weight are not looked at.
 */
export function negotiateMediaType<T extends string>(
  accept: string | undefined,
  offered: readonly T[],
): T | undefined {
  if (accept === undefined || accept.trim() === '') return offered[0];
  const ranges = weighted(accept);
  let best: T | undefined;
  let bestWeight = 0;
  for (const type of offered) {
    const range = mostSpecific(ranges, type);
    if (range && range.weight > bestWeight) [best, bestWeight] = [type, range.weight];
  }
  return best;
}

interface Weighted {
  value: string;
  weight: number;
}

function mostSpecific(ranges: readonly Weighted[], type: string): Weighted | undefined {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const wanted of [type, family, '*/*']) {
    const range = ranges.find(({ value }) => value === wanted);
    if (range) return range;
  }
  return undefined;
}

/** The elements of an `Accept…` header with their weights, 1 where none is given and 0 where it can't be read. */
function weighted(header: string): Weighted[] {
  return header
    .split(',')
    .map((element) => {
      const [value = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
      const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
      return { value, weight: q === undefined ? 1 : weightIn(q) };
    })
    .filter(({ value }) => value !== '');
}

function weightIn(parameter: string): number {
  const weight = Number(parameter.slice(parameter.indexOf('=') + 1).trim() || Number.NaN);
  return weight >= 0 && weight <= 1 ? weight : 0;
}
