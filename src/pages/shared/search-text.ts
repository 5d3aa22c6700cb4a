/** In lower case, without accents and hyphens. */
export function searchText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('-', ' ').toLowerCase().trim();
}

const SEPARATOR = '|';
const [EXACT, LATER, WITHIN, NOWHERE] = [-1, 3, 4, 5];

/** One text of the names of something, the most likely first, for `bestFirst`. */
export function searchTextOf(names: readonly string[]): string {
  return [...new Set(names)].join(SEPARATOR);
}

/** Those that match, equally good ones in their order. `words` are a `searchText`; without any, all match. */
export function bestFirst<T extends { searched: string }>(all: readonly T[], words: string): T[] {
  return all
    .map((one) => ({ one, rank: rankOf(one.searched, words) }))
    .filter(({ rank }) => rank < NOWHERE)
    .sort((one, other) => one.rank - other.rank)
    .map(({ one }) => one);
}

/** The lowest for a whole name, then for the start of a word in an early name, then for any part. */
function rankOf(searched: string, words: string): number {
  const names = searchText(searched).split(SEPARATOR);
  if (words !== '' && names.includes(words)) return EXACT;
  const begun = names.findIndex((name) => ` ${name}`.includes(` ${words}`));
  if (begun >= 0) return Math.min(begun, LATER);
  return names.some((name) => name.includes(words)) ? WITHIN : NOWHERE;
}
