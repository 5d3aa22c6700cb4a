import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxGuesses } from '../../../src/hangman/game.js';
import { hangmanRoutes } from '../../../src/hangman/hangman-routes.js';
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

async function draw(path: string, times = 60): Promise<Set<string>> {
  const drawn = new Set<string>();
  for (let n = 0; n < times; n++) drawn.add((await api.get(path)).body.word);
  return drawn;
}

describe('GET /random/hangman', () => {
  it('answers the fields in their order, and is not to be kept', async () => {
    const { status, headers, body } = await api.get('/random/hangman');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['success', 'word', 'hint', 'maxGuesses', 'total']);
    expect(body).toMatchObject({ success: true, maxGuesses: 6, total: 3 });
    expect(words).toContainEqual({ word: body.word, hint: body.hint });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('draws every word', async () => {
    expect(await draw('/random/hangman')).toEqual(new Set(['pump', 'barge', 'lantern']));
  });

  it('never draws an excluded one, whatever its case and the blanks around', async () => {
    expect(await draw('/random/hangman?exclude=%20PUMP%20,,lantern,nosuchword,pump')).toEqual(
      new Set(['barge']),
    );
  });

  it('still tells the total of the whole list', async () => {
    expect((await api.get('/random/hangman?exclude=pump')).body.total).toBe(3);
  });

  it.each([
    ['/random/hangman?game=chess', '"game" must be "hangman" or "wordguess".'],
    ['/random/hangman?game=HANGMAN', '"game" must be "hangman" or "wordguess".'],
    ['/random/hangman?minLength=8', 'No word has that many letters: change minLength or maxLength.'],
    ['/random/hangman?maxLength=3', 'No word has that many letters: change minLength or maxLength.'],
    [
      '/random/hangman?minLength=6&maxLength=5',
      'No word has that many letters: change minLength or maxLength.',
    ],
    ['/random/hangman?minLength=7&exclude=lantern', 'All words have been excluded.'],
    ['/random/hangman?minLength=x', 'minLength must be a whole number from 1 to 30'],
    ['/random/hangman?exclude=pump,barge,Lantern', 'All words have been excluded.'],
    [
      `/random/hangman?exclude=${Array.from({ length: 101 }, (_, n) => `w${n}`).join()}`,
      '"exclude" cannot contain more than 100 words.',
    ],
  ])('%.50s is refused in these words', async (path, message) => {
    expect(await api.get(path)).toMatchObject({
      status: 400,
      body: { success: false, status: 400, message },
    });
  });

  it.each([
    ['minLength=5', ['barge', 'lantern']],
    ['maxLength=5', ['pump', 'barge']],
    ['minLength=5&maxLength=5', ['barge']],
  ])('draws from those of %s', async (query, drawn) => {
    expect(await draw(`/random/hangman?${query}`)).toEqual(new Set(drawn));
  });

  it('counts words, not the commas between them', async () => {
    expect(await draw(`/random/hangman?exclude=pump${','.repeat(10_000)}barge`, 3)).toEqual(
      new Set(['lantern']),
    );
  });

  it('takes 100 words, however often they are repeated and however many blanks stand between', async () => {
    const hundred = Array.from({ length: 100 }, (_, n) => `w${n}`);
    const path = `/random/hangman?exclude=${[...hundred, '', '', ...hundred].join()}`;
    expect((await api.get(path)).status).toBe(200);
  });
});

describe('guesses', () => {
  it.each([
    ['hangman', 'pump', 6],
    ['hangman', 'lantern', 6],
    ['wordguess', 'pump', 6],
    ['wordguess', 'barge', 8],
    ['wordguess', 'lantern', 8],
  ] as const)('%s, %s: %i', (game, word, guesses) => {
    expect(maxGuesses(game, word)).toBe(guesses);
  });

  it('are told for the game that is asked for', async () => {
    const { body } = await api.get('/random/hangman?game=wordguess&exclude=pump,lantern');
    expect(body).toMatchObject({ word: 'barge', maxGuesses: 8 });
  });
});
