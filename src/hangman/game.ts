import { randomInt } from 'node:crypto';
import type { Word } from './words.js';

export const games = ['hangman', 'wordguess'] as const;
export type Game = (typeof games)[number];

const LONG_WORD = 5;

/** How many wrong guesses a player has. */
export function maxGuesses(game: Game, word: string): number {
  return game === 'wordguess' && word.length >= LONG_WORD ? 8 : 6;
}

/** The words of `least` to `most` letters; without a bound where one is absent. */
export function ofLength(
  words: readonly Word[],
  least = 0,
  most = Number.POSITIVE_INFINITY,
): readonly Word[] {
  return words.filter(({ word }) => word.length >= least && word.length <= most);
}

/** One word of those not excluded (lower case), each as likely as the others; undefined where none is left. */
export function pickWord(words: readonly Word[], excluded: ReadonlySet<string>): Word | undefined {
  const left = words.filter(({ word }) => !excluded.has(word.toLowerCase()));
  return left.length === 0 ? undefined : left[randomInt(left.length)];
}
