/** In lower case, without accents and hyphens. */
export function searchText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('-', ' ').toLowerCase().trim();
}

const SEPARATOR = '|';
const [EXACT, LATER, WITHIN] = [-1, 3, 4];

/** One text of the names of a line, the most likely first, for `searchRank`. */
export function searchTextOf(names: readonly string[]): string {
  return [...new Set(names.map(searchText))].join(SEPARATOR);
}

/**
 * The lowest for the best match: a whole name, then the start of a word in an early name, then any part. Undefined if
 * nothing matches. `words` are a `searchText`.
 */
export function searchRank(names: string, words: string): number | undefined {
  const all = names.split(SEPARATOR);
  if (all.includes(words)) return EXACT;
  const begun = all.findIndex((name) => ` ${name}`.includes(` ${words}`));
  if (begun >= 0) return Math.min(begun, LATER);
  return names.includes(words) ? WITHIN : undefined;
}
