import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';

export const games = ['hangman', 'wordguess'] as const;
export type Game = (typeof games)[number];

const wordList = z.array(z.object({ word: z.string(), hint: z.string() })).min(1);

export type Word = z.infer<typeof wordList>[number];

export function loadWords(): readonly Word[] {
  return readDataFile('words.json', wordList);
}

const LONG_WORD = 5;

export function maxGuesses(game: Game, word: string): number {
  return game === 'wordguess' && word.length >= LONG_WORD ? 8 : 6;
}

/** An absent limit does not apply. */
export function ofLength(words: readonly Word[], least = 0, most = Number.POSITIVE_INFINITY) {
  return words.filter(({ word }) => word.length >= least && word.length <= most);
}

/** All with equal probability; `excluded` is in lower case. Undefined if none is left. */
export function pickWord(words: readonly Word[], excluded: ReadonlySet<string>): Word | undefined {
  const left = words.filter(({ word }) => !excluded.has(word.toLowerCase()));
  return left.length === 0 ? undefined : left[randomInt(left.length)];
}
