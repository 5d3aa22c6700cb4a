import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangmanRoutes, maxGuesses } from '../../../src/hangman/hangman-routes.js';
import { serve } from '../utilities/support.js';

const words = [
  { word: 'pump', hint: 'Lifts water from a well' },
  { word: 'barge', hint: 'Flat boat for heavy loads' },
  { word: 'lantern', hint: 'Light to carry' },
];

let api: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  api = await serve(hangmanRoutes(words));
});
afterAll(() => api.close());

const get = (query: string) => api.get(`/random/hangman?${query}`);
const listOf = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join();

it('GET /random/hangman answers the fields in their order, and is not to be kept', async () => {
  const { status, headers, body } = await api.get('/random/hangman');
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(Object.keys(body).join()).toBe('success,word,hint,maxGuesses,total');
  expect(body).toMatchObject({ success: true, maxGuesses: 6, total: 3 });
  expect(words).toContainEqual({ word: body.word, hint: body.hint });
});

it.each([
  ['', 'barge lantern pump'],
  ['exclude=%20PUMP%20,,lantern,nosuchword,pump', 'barge'],
  // Words are counted, not the commas between them.
  [`exclude=pump${','.repeat(10_000)}barge`, 'lantern'],
])('GET /random/hangman with %.50s draws each of: %s', async (query, expected) => {
  const drawn = new Set<string>();
  for (let times = 0; times < 60; times++) {
    const { body } = await get(query);
    expect(body.total).toBe(3);
    drawn.add(body.word);
  }
  expect([...drawn].sort().join(' ')).toBe(expected);
});

it.each([
  ['game=chess', '"game" must be "hangman" or "wordguess".'],
  ['game=HANGMAN', '"game" must be "hangman" or "wordguess".'],
  ['exclude=pump,barge,Lantern', 'All words have been excluded.'],
  [`exclude=${listOf(101)}`, '"exclude" cannot contain more than 100 words.'],
])('GET /random/hangman refuses %.50s in these words', async (query, message) => {
  expect(await get(query)).toMatchObject({ status: 400, body: { success: false, status: 400, message } });
});

it('GET /random/hangman takes 100 words, however often they are repeated and whatever is between them', async () => {
  expect((await get(`exclude=${listOf(100)},,,${listOf(100)}`)).status).toBe(200);
});

it.each([
  ['hangman', 'pump', 6],
  ['hangman', 'lantern', 6],
  ['wordguess', 'pump', 6],
  ['wordguess', 'barge', 8],
  ['wordguess', 'lantern', 8],
] as const)('guesses: %s, %s: %i', (game, word, guesses) => {
  expect(maxGuesses(game, word)).toBe(guesses);
});

it('guesses are those of the game that is asked for', async () => {
  const { body } = await get('game=wordguess&exclude=pump,lantern');
  expect(body).toMatchObject({ word: 'barge', maxGuesses: 8 });
});
