import { pathOf } from './exchange.js';

/** Where clients of other services put a key, which this one does not need. */
export interface ClientKeys {
  /** Matches the targets that may contain one. */
  readonly targets: RegExp;
  /** Matches the part of a path before a key, which it captures, and the key. */
  readonly inPath: RegExp;
  /** The names of query parameters, in lower case. */
  readonly parameters: ReadonlySet<string>;
}

/** Drops the keys from a target. They must not be logged, nor keep clients from sharing a cached response. */
export function withoutKeys(target: string, { inPath, parameters }: ClientKeys): string {
  const path = pathOf(target);
  const withoutKey = path.replace(inPath, '$1-');
  if (path.length === target.length) return withoutKey;
  const parts = target.slice(path.length + 1).split('&');
  const isKey = (name: string) => parameters.has(name.toLowerCase());
  const kept = parts.filter((part) => ![...new URLSearchParams(part).keys()].some(isKey));
  return kept.length > 0 ? `${withoutKey}?${kept.join('&')}` : withoutKey;
}
