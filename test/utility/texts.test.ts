import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dataFile } from '../../core/data-files.js';

const words = read('words.json', z.array(z.strictObject({ word: z.string(), hint: z.string() })));
const phrases = read('phrases.json', z.array(z.string()));
const {
  about: _about,
  coarse_rot13,
  ...themes
} = read(
  'blocklist.json',
  z.object({ about: z.string(), coarse_rot13: z.array(z.string()) }).catchall(z.array(z.string())),
);
const blocked = [...Object.values(themes).flat(), ...coarse_rot13.map(rot13)];
const blockedForms = new Set(blocked.flatMap(forms));
const FUNCTION_WORDS = new Set(
  (
    'a about above after again all also am an and any are as at be been before being but by ca can could did do does ' +
    'for from had has have he her here him his i if in into is it its just like me more most my myself never no none ' +
    'nor not of off on once one only or other our out over own sha she should so some than that the their them then there ' +
    'these they this those through to too under until up very was we were what when where which while who will with wo ' +
    'would yes you your'
  ).split(' '),
);

describe('rules of the checks themselves', () => {
  test.each([
    ['lantern', 'lanterns', true],
    ['bake', 'baking', true],
    ['swim', 'swimming', true],
    ['berry', 'berries', true],
    ['teapot', 'tea', true],
    ['school', 'schoolroom', true],
    ['ant', 'wanting', false],
    ['candle', 'lamp', false],
  ])('%s is given away by "%s": %s', (word, token, expected) => {
    expect(givesAway(word, token)).toBe(expected);
  });

  test('the blocklist finds inflections and leaves innocent words alone', () => {
    expect(blockedIn('A murderer shoots.')).toEqual(['murderer', 'shoots']);
    expect(blockedIn('He classified the cocktail.')).toEqual([]);
  });
});

describe('hangman words', () => {
  test('there are at least 1,200, in order, none twice', () => {
    const names = words.map(({ word }) => word);
    expect(names.length).toBeGreaterThanOrEqual(1_200);
    expect(names).toEqual([...new Set(names)].sort());
  });

  test('each has 3 to 14 letters and nothing else, in a mix of lengths', () => {
    expect(words.filter(({ word }) => !/^[a-z]{3,14}$/.test(word))).toEqual([]);
    expect(new Set(words.map(({ word }) => word.length)).size).toBeGreaterThanOrEqual(10);
  });

  test('a hint is a short text of its own', () => {
    const wrong = words.filter(
      ({ hint }) => !/^["A-Z].{2,89}[^\s,;:]$/u.test(hint) || /[{}[\]<>_$%]| {2}/.test(hint),
    );
    expect(wrong).toEqual([]);
    expect(words.filter(({ hint }) => tokens(hint).length < 3)).toEqual([]);
    expect(repeated(words.map(({ hint }) => tokens(hint).join(' ')))).toEqual([]);
  });

  test('no hint gives its word away', () => {
    const told = words.filter(({ word, hint }) => tokens(hint).some((token) => givesAway(word, token)));
    expect(told).toEqual([]);
  });

  test('nothing on the blocklist', () => {
    expect(words.filter(({ word, hint }) => blockedIn(`${word} ${hint}`).length > 0)).toEqual([]);
  });
});

describe('refusal phrases', () => {
  test('there are at least 1,100, none twice whatever the case and punctuation', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(1_100);
    expect(repeated(phrases.map((phrase) => tokens(phrase).join(' ')))).toEqual([]);
  });

  test('each is a whole sentence of 30 to 160 characters without placeholders', () => {
    const wrong = phrases.filter(
      (phrase) =>
        phrase.length < 30 ||
        phrase.length > 160 ||
        !/^["'A-Z]/.test(phrase) ||
        !/[.!?]"?$/.test(phrase) ||
        /[{}[\]<>_$%*|\\]|\.\.\.|\s{2}|^\s|\s$/.test(phrase),
    );
    expect(wrong).toEqual([]);
  });

  test('no opening of four words serves more than twice, none of three more than five times', () => {
    expect(
      overused(
        phrases.map((phrase) => tokens(phrase).slice(0, 4).join(' ')),
        2,
      ),
    ).toEqual([]);
    expect(
      overused(
        phrases.map((phrase) => tokens(phrase).slice(0, 3).join(' ')),
        5,
      ),
    ).toEqual([]);
  });

  test('no run of five words occurs in more than two phrases, none of six in more than one', () => {
    expect(
      overused(
        phrases.flatMap((phrase) => [...runs(phrase, 5)]),
        2,
      ),
    ).toEqual([]);
    expect(
      overused(
        phrases.flatMap((phrase) => [...runs(phrase, 6)]),
        1,
      ),
    ).toEqual([]);
  });

  test('no two are one template with other words filled in', () => {
    expect(frame('The kettle has joined my circus.')).toBe(frame('The goldfish has left my library.'));
    expect(overused(phrases.map(frame), 1)).toEqual([]);
    expect(
      overused(
        phrases.map((phrase) => frame(phrase).split(' ').slice(0, 6).join(' ')),
        5,
      ),
    ).toEqual([]);
  });

  test('no two are near duplicates by their content words', () => {
    expect(nearDuplicates(phrases)).toEqual([]);
  });

  test('the check for near duplicates finds one', () => {
    const pair = ['My kettle has joined the circus, sorry.', 'Sorry, the kettle joined a circus.'];
    expect(nearDuplicates(pair)).toHaveLength(1);
  });

  test('nothing on the blocklist', () => {
    expect(phrases.filter((phrase) => blockedIn(phrase).length > 0)).toEqual([]);
  });
});

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(dataFile(name), 'utf8')));
}

function rot13(text: string): string {
  return text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 97 + 13) % 26) + 97));
}

function tokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
}

/** The bare word of "isn't", "can't" (ca), "I've" and "cat's". */
function uncontracted(token: string): string {
  return token.replace(/(n't|'\p{L}+)$/u, '');
}

/** Strips the commonest English endings: enough to tell inflections of one word, not a linguist's stemmer. */
function stem(word: string): string {
  let root = word.replace(/'\p{L}+$/u, '').replace(/(ies|ied)$/, 'y');
  if (root.length > 4) root = root.replace(/(ings?|ed|ers?|est|es|ly|ness|s)$/, '');
  else if (root.length > 3) root = root.replace(/([^s])s$/, '$1');
  // running → runn → run; bake and baking → bak; berry and berries → berri
  if (root.length > 3) root = root.replace(/([b-df-hj-np-tv-z])\1$/, '$1').replace(/e$/, '');
  return root.replace(/y$/, 'i');
}

/** Whether a word of a hint shares the stem, or contains it, or is a part of the compound that is asked for. */
function givesAway(word: string, token: string): boolean {
  const [asked, said] = [stem(word), stem(token)];
  return (
    asked === said ||
    (asked.length >= 4 && said.includes(asked)) ||
    (token.length >= 3 && !FUNCTION_WORDS.has(token) && (word.startsWith(token) || word.endsWith(token))) ||
    (said.length >= 4 && !FUNCTION_WORDS.has(token) && asked.includes(said))
  );
}

function blockedIn(text: string): string[] {
  return tokens(text).filter((token) => blockedForms.has(token.replace(/'\p{L}+$/u, '')));
}

/** A word and its inflections. Not by stem: "hate" and "hat", "pope" and "pop" would be one. */
function forms(word: string): string[] {
  const last = word.slice(-1);
  const roots = [word, word.replace(/e$/, ''), word.replace(/y$/, 'i')];
  if (/[^aeiou][aeiou][bdgklmnprt]$/.test(word)) roots.push(word + last);
  const endings = word.endsWith('e')
    ? ['s', 'd', 'r', 'rs']
    : ['s', 'es', 'ed', 'er', 'ers', 'ing', 'y', 'ly'];
  const changed = roots.slice(1).filter((root) => root !== word);
  return [
    word,
    ...endings.map((ending) => word + ending),
    ...changed.flatMap((root) =>
      ['ed', 'es', 'er', 'ers', 'ing', 'ings', 'y'].map((ending) => root + ending),
    ),
  ];
}

function overused(texts: string[], most: number): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > most).map(([text, count]) => `${count} × ${text}`);
}

function repeated(texts: string[]): string[] {
  return overused(texts, 1);
}

function runs(text: string, length: number): Set<string> {
  const all = tokens(text);
  return new Set(all.slice(length - 1).map((_, start) => all.slice(start, start + length).join(' ')));
}

/** What remains of a phrase when its content words are blanked: "the _ has _ my _". */
function frame(text: string): string {
  return tokens(text)
    .map((token) => (FUNCTION_WORDS.has(uncontracted(token)) ? token : '_'))
    .join(' ');
}

/** Pairs that share more than three content words, or two fifths of all that they have. */
function nearDuplicates(texts: string[]): string[] {
  const contents = texts.map(
    (text) =>
      new Set(
        tokens(text)
          .map(uncontracted)
          .filter((token) => !FUNCTION_WORDS.has(token))
          .map(stem),
      ),
  );
  const found: string[] = [];
  contents.forEach((one, i) => {
    contents.slice(i + 1).forEach((other, j) => {
      let shared = 0;
      for (const content of one) if (other.has(content)) shared += 1;
      const overlap = shared / (one.size + other.size - shared);
      if (shared > 3 || overlap >= 0.4) found.push(`${texts[i]} | ${texts[i + 1 + j]}`);
    });
  });
  return found;
}
