import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { dataFile } from '../../../core/process/project-files.js';
import { forms, frame, givesAway, nearDuplicates, overused, rot13, runs, tokens } from './text-rules.js';

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
const joined = (some: readonly string[]) => some.join(' ');

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
    expect(
      overused(
        words.map(({ hint }) => joined(tokens(hint))),
        1,
      ),
    ).toEqual([]);
  });

  test('no hint gives its word away', () => {
    expect(givesAway('berry', 'berries')).toBe(true);
    expect(words.filter(({ word, hint }) => tokens(hint).some((token) => givesAway(word, token)))).toEqual(
      [],
    );
  });

  test('no hint begins with its word, or with all but the end of a longer one', () => {
    const begun = words.filter(({ word, hint }) =>
      tokens(hint).some((token) => token.startsWith(word.length < 5 ? word : word.slice(0, -1))),
    );
    expect(begun).toEqual([]);
  });

  test('no two words are one thing', () => {
    const pairs = [['fridge', 'refrigerator']];
    const listed = new Set(words.map(({ word }) => word));
    expect(pairs.filter((pair) => pair.every((word) => listed.has(word)))).toEqual([]);
  });
});

describe('refusal phrases', () => {
  const all = phrases.map(tokens);

  test('there are at least 1,100, none twice whatever the case and punctuation', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(1_100);
    expect(overused(all.map(joined), 1)).toEqual([]);
  });

  test('each is a whole sentence of 30 to 160 characters without placeholders', () => {
    const isSentence = (phrase: string) => /^(?=.{30,160}$)["'A-Z].*[.!?]"?$/.test(phrase);
    const hasPlaceholder = (phrase: string) => /[{}[\]<>_$%*|\\]|\.\.\.|\s{2}|^\s|\s$/.test(phrase);
    expect(phrases.filter((phrase) => !isSentence(phrase) || hasPlaceholder(phrase))).toEqual([]);
  });

  test('no opening of four words serves more than twice, none of three more than five times', () => {
    const openings = (length: number) => all.map((words) => joined(words.slice(0, length)));
    expect([overused(openings(4), 2), overused(openings(3), 5)]).toEqual([[], []]);
  });

  test('no run of five words occurs in more than two phrases, none of six in more than one', () => {
    const allRuns = (length: number) => all.flatMap((words) => [...runs(words, length)]);
    expect([overused(allRuns(5), 2), overused(allRuns(6), 1)]).toEqual([[], []]);
  });

  test('no two are one template with other words filled in', () => {
    expect(frame('The kettle has joined my circus.')).toBe(frame('The goldfish has left my library.'));
    const frames = phrases.map(frame);
    const beginnings = frames.map((one) => joined(one.split(' ').slice(0, 6)));
    expect([overused(frames, 1), overused(beginnings, 5)]).toEqual([[], []]);
  });

  test('no two are near duplicates by their content words', () => {
    const pair = ['My kettle has joined the circus, sorry.', 'Sorry, the kettle joined a circus.'];
    expect(nearDuplicates(pair)).toHaveLength(1);
    expect(nearDuplicates(phrases)).toEqual([]);
  });
});

describe('words, hints and phrases', () => {
  const texts = [...words.map(({ word, hint }) => `${word} ${hint}`), ...phrases];

  test('have nothing on the blocklist', () => {
    expect(texts.filter((text) => blockedIn(text).length > 0)).toEqual([]);
  });

  test('are spelled the American way', () => {
    expect(texts.filter((text) => BRITISH.test(text))).toEqual([]);
  });
});

function blockedIn(text: string): string[] {
  return tokens(text).filter((token) => blockedForms.has(token.replace(/'\p{L}+$/u, '')));
}

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(dataFile(name), 'utf8')));
}

const BRITISH =
  /(?:avour|olour|arbour|onour|neighbour|armour|rumour|humour|endeavour|mould|plough|\bgrey|\btyre|pyjama|jewellery|\bcosy|fibre|metres?\b|centre|theatre|moustache|omelette|draught|defence|offence|maths\b|learnt|practis|(?:travel|cancel|model|label)l(?:ed|er|ing)|(?:recogn|organ|real|apolog|alphabet|item)is(?:e|ing))/i;
