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
    expect(
      overused(
        words.map(({ hint }) => tokens(hint).join(' ')),
        1,
      ),
    ).toEqual([]);
  });

  test('no hint gives its word away', () => {
    const told = words.filter(({ word, hint }) => tokens(hint).some((token) => givesAway(word, token)));
    expect(told).toEqual([]);
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

  test('nothing on the blocklist', () => {
    expect(words.filter(({ word, hint }) => blockedIn(`${word} ${hint}`).length > 0)).toEqual([]);
  });
});

describe('refusal phrases', () => {
  test('there are at least 1,100, none twice whatever the case and punctuation', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(1_100);
    expect(
      overused(
        phrases.map((phrase) => tokens(phrase).join(' ')),
        1,
      ),
    ).toEqual([]);
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

function blockedIn(text: string): string[] {
  return tokens(text).filter((token) => blockedForms.has(token.replace(/'\p{L}+$/u, '')));
}

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(dataFile(name), 'utf8')));
}

test('words, hints and phrases are spelled the American way', () => {
  const texts = [...words.map(({ word, hint }) => `${word} ${hint}`), ...phrases];
  expect(texts.filter((text) => BRITISH.test(text))).toEqual([]);
});

const BRITISH =
  /(?:avour|olour|arbour|onour|neighbour|armour|rumour|humour|endeavour|mould|plough|\bgrey|\btyre|pyjama|jewellery|\bcosy|fibre|metres?\b|centre|theatre|moustache|omelette|draught|defence|offence|maths\b|learnt|practis|(?:travel|cancel|model|label)l(?:ed|er|ing)|(?:recogn|organ|real|apolog|alphabet|item)is(?:e|ing))/i;
