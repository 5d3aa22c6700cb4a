/** A longer word is no misspelling of any name here, and the work grows with the square of the length. */
const LONGEST = 24;
const MOST = 3;

/**
 * The words that a misspelt one may mean: those that begin with it or that it begins with, or that differ from it in the
 * fewest letters, three at most. None where all differ in more than a third of its letters. The case does not matter.
 */
export function nearest(given: string, words: Iterable<string>): string[] {
  const text = given.toLowerCase();
  if (text.length < 2 || text.length > LONGEST) return [];
  let least = Math.max(1, Math.floor(text.length / 3));
  let found: string[] = [];
  for (const word of words) {
    const other = word.toLowerCase();
    const distance = isBeginning(text, other) ? 1 : editDistance(text, other, least);
    if (distance > least) continue;
    if (distance < least) found = [];
    least = distance;
    found.push(word);
  }
  const preferred = [lettersOf, beginningOf].map((partOf) =>
    found.filter((word) => partOf(word) === partOf(text)),
  );
  return (preferred.find(({ length }) => length > 0) ?? found).slice(0, MOST);
}

/** The same for words of which letters are only swapped. */
function lettersOf(word: string): string {
  return [...word.toLowerCase()].sort().join('');
}

function beginningOf(word: string): string {
  return word.slice(0, 2).toLowerCase();
}

/** Such as `month` of `monthly`. */
function isBeginning(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 3 && long.startsWith(short);
}

/**
 * How many letters must be put in, left out, replaced or swapped with the next one to make one word of another (optimal
 * string alignment). Infinity where the lengths alone tell that it is more than `most`.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1];
      const isSwapped = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next[at] = Math.min(
        (last[at] ?? 0) + 1,
        (next[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}

/** `a`, `a or b`, `a, b or c`. */
export function eitherOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** A question that goes in brackets behind an error; nothing where no word is near. */
export function didYouMean(words: readonly string[]): string {
  return words.length > 0 ? ` (did you mean ${eitherOf(words)}?)` : '';
}
