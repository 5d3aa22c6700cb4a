const LONGEST = 40;

/** Truncated to forty characters. */
export function excerpt(text: string): string {
  if (text.length <= LONGEST) return text;
  // Half of a surrogate pair is not a character.
  return `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const MOST_SHOWN = 10;

/** The first ten items, and the number of the rest. */
export function excerptOfList(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_SHOWN).map(excerpt).join(', ');
  return texts.length > MOST_SHOWN ? `${shown} and ${texts.length - MOST_SHOWN} more` : shown;
}
