import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { dataFile } from '../../../core/process/project-files.js';
import { forms, frame, givesAway, nearDuplicates, overused, rot13, runs, tokens } from './text-rules.js';

const words = read('words.json', z.array(z.strictObject({ word: z.string(), hint: z.string() })));
const phrases = read('phrases.json', z.array(z.string()));
const coarse = z.object({ about: z.string(), coarse_rot13: z.array(z.string()) });
const blocklist = read('blocklist.json', coarse.catchall(z.array(z.string())));
const { about: _about, coarse_rot13, ...themes } = blocklist;
const blocked = [...Object.values(themes).flat(), ...coarse_rot13.map(rot13)];
const blockedForms = new Set(blocked.flatMap(forms));
const joined = (some: readonly string[]) => some.join(' ');

test('there are at least 1,200 words, in order, of a mix of lengths, none twice', () => {
  const names = words.map(({ word }) => word);
  expect(names.length).toBeGreaterThanOrEqual(1_200);
  expect(names).toEqual([...new Set(names)].sort());
  expect(new Set(names.map((name) => name.length)).size).toBeGreaterThanOrEqual(10);
  // They are one thing.
  expect(names.filter((name) => ['fridge', 'refrigerator'].includes(name)).length).toBeLessThan(2);
});

const isShort = (hint: string) => /^["A-Z].{2,89}[^\s,;:]$/u.test(hint) && !/[{}[\]<>_$%]| {2}/.test(hint);

test.each<[string, (word: string, hint: string) => boolean]>([
  ['a word has 3 to 14 letters and nothing else', (word) => /^[a-z]{3,14}$/.test(word)],
  ['a hint is a short text without placeholders', (_, hint) => isShort(hint)],
  ['a hint has three words', (_, hint) => tokens(hint).length >= 3],
  ['a hint does not give its word away', (word, hint) => !tokens(hint).some((one) => givesAway(word, one))],
  ['a hint does not begin with its word', (word, hint) => !tokens(hint).some((one) => one.startsWith(word))],
  ['a hint does not begin with all but the end of a long word', (word, hint) => !beginsLike(word, hint)],
])('%s', (_, holds) => {
  expect(words.filter(({ word, hint }) => !holds(word, hint))).toEqual([]);
});

function beginsLike(word: string, hint: string): boolean {
  return word.length >= 5 && tokens(hint).some((token) => token.startsWith(word.slice(0, -1)));
}

test('there are at least 1,100 phrases, each a whole sentence of 30 to 160 characters without placeholders', () => {
  const isSentence = (phrase: string) => /^(?=.{30,160}$)["'A-Z].*[.!?]"?$/.test(phrase);
  const hasPlaceholder = (phrase: string) => /[{}[\]<>_$%*|\\]|\.\.\.|\s{2}|^\s|\s$/.test(phrase);
  expect(phrases.length).toBeGreaterThanOrEqual(1_100);
  expect(phrases.filter((phrase) => !isSentence(phrase) || hasPlaceholder(phrase))).toEqual([]);
});

const inWords = phrases.map(tokens);
const openings = (length: number) => inWords.map((each) => joined(each.slice(0, length)));
const allRuns = (length: number) => inWords.flatMap((each) => [...runs(each, length)]);
const frames = phrases.map(frame);

test.each([
  ['hint, whatever the case and punctuation', 1, words.map(({ hint }) => joined(tokens(hint)))],
  ['phrase, whatever the case and punctuation', 1, inWords.map(joined)],
  ['opening of four words', 2, openings(4)],
  ['opening of three words', 5, openings(3)],
  ['run of five words', 2, allRuns(5)],
  ['run of six words', 1, allRuns(6)],
  ['template with other words filled in', 1, frames],
  ['beginning of a template', 5, frames.map((one) => joined(one.split(' ').slice(0, 6)))],
])('no %s serves more often than %i times', (_, most, texts) => {
  expect(overused(texts, most)).toEqual([]);
});

test('no two phrases are near duplicates by their content words', () => {
  const pair = ['My kettle has joined the circus, sorry.', 'Sorry, the kettle joined a circus.'];
  expect(nearDuplicates(pair)).toHaveLength(1);
  expect(nearDuplicates(phrases)).toEqual([]);
});

test('the rules know a word in its plural, and a template by its function words', () => {
  expect(givesAway('berry', 'berries')).toBe(true);
  expect(frame('The kettle has joined my circus.')).toBe(frame('The goldfish has left my library.'));
});

test('words, hints and phrases have nothing on the blocklist, and are spelled the American way', () => {
  const texts = [...words.map(({ word, hint }) => `${word} ${hint}`), ...phrases];
  expect(texts.filter((text) => blockedIn(text).length > 0 || BRITISH.test(text))).toEqual([]);
});

function blockedIn(text: string): string[] {
  return tokens(text).filter((token) => blockedForms.has(token.replace(/'\p{L}+$/u, '')));
}

function read<T>(name: string, schema: z.ZodType<T>): T {
  return schema.parse(JSON.parse(readFileSync(dataFile(name), 'utf8')));
}

const BRITISH =
  /(?:avour|olour|arbour|onour|neighbour|armour|rumour|humour|endeavour|mould|plough|\bgrey|\btyre|pyjama|jewellery|\bcosy|fibre|metres?\b|centre|theatre|moustache|omelette|draught|defence|offence|maths\b|learnt|practis|(?:travel|cancel|model|label)l(?:ed|er|ing)|(?:recogn|organ|real|apolog|alphabet|item)is(?:e|ing))/i;
