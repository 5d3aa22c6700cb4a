import { randomInt } from 'node:crypto';
import type { Word } from './words.js';

export const games = ['hangman', 'wordguess'] as const;
export type Game = (typeof games)[number];

const LONG_WORD = 5;

/** Returns the number of wrong guesses that a player has. */
export function maxGuesses(game: Game, word: string): number {
  return game === 'wordguess' && word.length >= LONG_WORD ? 8 : 6;
}

/** Returns the words of `least` to `most` letters; an absent limit does not apply. */
export function ofLength(
  words: readonly Word[],
  least = 0,
  most = Number.POSITIVE_INFINITY,
): readonly Word[] {
  return words.filter(({ word }) => word.length >= least && word.length <= most);
}

/** Picks one of the words that are not excluded (lower case), all with equal probability; undefined if none is left. */
export function pickWord(words: readonly Word[], excluded: ReadonlySet<string>): Word | undefined {
  const left = words.filter(({ word }) => !excluded.has(word.toLowerCase()));
  return left.length === 0 ? undefined : left[randomInt(left.length)];
}
