interface Operation {
  method: string;
  /** In the syntax of OpenAPI, such as `/v2/currency/{code}`. */
  path: string;
  operationId?: string | undefined;
}

/** Words of paths that say what a route does. */
const VERBS = /^(accept|convert|detect|end|ingest|rebuild|reject|reopen|search|translate)$/;

/**
 * Generated clients name their methods by these ids: an operation's own one, or else one by method and path, such as
 * `listRates` for `GET /v2/rates` and `getProvider` for `GET /v2/providers/{key}`.
 */
export function withIds<T extends Operation>(operations: readonly T[]): (T & { operationId: string })[] {
  const ids = operations.map((one) => one.operationId ?? derivedId(one));
  return operations.map((one, at) => {
    const id = ids[at] ?? '';
    const isUnique = ids.indexOf(id) === ids.lastIndexOf(id);
    // `getV1` would not say what it returns.
    const isClear = isUnique && !/\/v\d+\/\{\w+\}$/.test(one.path);
    if (isClear || one.operationId) return { ...one, operationId: id };
    const names = (one.path.match(/\{\w+/g) ?? []).map(inCapitals);
    return { ...one, operationId: `${id}By${names.join('')}` };
  });
}

function derivedId({ method, path }: Operation): string {
  // `/v2` is the present version, and JSON the format of most routes: neither tells routes apart.
  const segments = path
    .replace(/^\/v2\//, '')
    .replace(/\.json$/, '')
    .split('/');
  const words = segments.map((segment, at) => {
    const word = segment.replaceAll(/\{\w+\}/g, '');
    return segments[at + 1]?.startsWith('{') ? word.replace(/ies$/, 'y').replace(/s$/, '') : word;
  });
  const verb = words.find((word) => VERBS.test(word));
  const nouns = words.filter((word) => word !== verb);
  const isList = method === 'get' && /(?<!serie)s$/.test(nouns.at(-1) ?? '');
  return [verb ?? (isList ? 'list' : method), ...nouns.map(inCapitals)].join('');
}

/** `bus-arrivals` as `BusArrivals`. */
function inCapitals(text: string): string {
  return text.replaceAll(
    /[^a-z\d]*([a-z\d]*)/gi,
    (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  );
}
