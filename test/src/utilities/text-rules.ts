/** Rules for short texts: whether two resemble each other, and whether a hint gives its word away. */

const FUNCTION_WORDS = new Set(
  (
    'a about above after again all also am an and any are as at be been before being but by ca can could did do does ' +
    'for from had has have he her here him his i if in into is it its just like me more most my myself never no none ' +
    'nor not of off on once one only or other our out over own sha she should so some than that the their them then there ' +
    'these they this those through to too under until up very was we were what when where which while who will with wo ' +
    'would yes you your'
  ).split(' '),
);

/** Lower-case letters moved by 13: hides coarse words from people who merely open the file. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 97 + 13) % 26) + 97));
}

/** The words of a text in lower case, contractions whole, without punctuation. */
export function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
}

/** The bare word of "isn't", "can't" (ca), "I've" and "cat's". */
function uncontracted(token: string): string {
  return token.replace(/(n't|'\p{L}+)$/u, '');
}

/** Strips the commonest English endings: enough to recognize inflections of one word, not a linguist's stemmer. */
function stem(word: string): string {
  let root = word.replace(/'\p{L}+$/u, '').replace(/(ies|ied)$/, 'y');
  if (root.length > 4) root = root.replace(/(ings?|ed|ers?|est|es|ly|ness|s)$/, '');
  else if (root.length > 3) root = root.replace(/([^s])s$/, '$1');
  // running → runn → run; bake and baking → bak; berry and berries → berri
  if (root.length > 3) root = root.replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/e$/, '');
  return root.replace(/y$/, 'i');
}

/** Whether a word of a hint shares the stem, or contains it, or is a part of the compound that is asked for. */
export function givesAway(word: string, token: string): boolean {
  const [asked, said] = [stem(word), stem(token)];
  return (
    asked === said ||
    (asked.length >= 4 && said.includes(asked)) ||
    (token.length >= 3 && !FUNCTION_WORDS.has(token) && (word.startsWith(token) || word.endsWith(token))) ||
    (said.length >= 4 && !FUNCTION_WORDS.has(token) && asked.includes(said))
  );
}

/** A word and its inflections. Not by stem: "hate" and "hat", "pope" and "pop" would be one. */
export function forms(word: string): string[] {
  const last = word.slice(-1);
  const roots = [word, word.replace(/e$/, ''), word.replace(/y$/, 'i')];
  if (/[^aeiou][aeiou][bdgklmnprt]$/.test(word)) roots.push(word + last);
  const endings = (word.endsWith('e') ? 's d r rs' : 's es ed er ers ing y ly').split(' ');
  const ofChanged = 'ed es er ers ing ings y'.split(' ');
  const changed = roots.slice(1).filter((root) => root !== word);
  const inflected = changed.flatMap((root) => ofChanged.map((ending) => root + ending));
  return [word, ...endings.map((ending) => word + ending), ...inflected];
}

/** Texts that occur more often than `most` times, each with its count. */
export function overused(texts: string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > most).map(([text, count]) => `${count} × ${text}`);
}

/** Every run of `length` words that a text has. */
export function runs(words: readonly string[], length: number): Set<string> {
  return new Set(words.slice(length - 1).map((_, start) => words.slice(start, start + length).join(' ')));
}

/** What remains of a phrase when its content words are blanked: "the _ has _ my _". */
export function frame(text: string): string {
  return tokens(text)
    .map((token) => (FUNCTION_WORDS.has(uncontracted(token)) ? token : '_'))
    .join(' ');
}

/** Pairs that share more than three content words, or two fifths of all that they have. */
export function nearDuplicates(texts: string[]): string[] {
  const contents = texts.map((text) => {
    const words = tokens(text).map(uncontracted);
    return new Set(words.filter((word) => !FUNCTION_WORDS.has(word)).map(stem));
  });
  const isNear = (one: ReadonlySet<string>, other: ReadonlySet<string>) => {
    let shared = 0;
    for (const content of one) if (other.has(content)) shared += 1;
    return shared > 3 || shared / (one.size + other.size - shared) >= 0.4;
  };
  return contents.flatMap((one, at) =>
    contents
      .slice(at + 1)
      .flatMap((other, after) => (isNear(one, other) ? `${texts[at]} | ${texts[at + 1 + after]}` : [])),
  );
}
