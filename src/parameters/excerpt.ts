const LONGEST = 40;

/** What a client wrote, to be shown back to it: cut where it is longer than forty characters. */
export function excerpt(text: string): string {
  if (text.length <= LONGEST) return text;
  // Half of a surrogate pair is no character.
  return `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const MOST_SHOWN = 10;

/** The first ten of a list that a client wrote, with commas between, and how many more there are. */
export function excerptOfList(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_SHOWN).map(excerpt).join(', ');
  return texts.length > MOST_SHOWN ? `${shown} and ${texts.length - MOST_SHOWN} more` : shown;
}
