import { z } from 'zod';
import { games } from './game.js';

export const messages = {
  game: '"game" must be "hangman" or "wordguess".',
  allExcluded: 'All words have been excluded.',
  tooMany: '"exclude" cannot contain more than 100 words.',
};

const MOST_EXCLUDED = 100;
// Blanks between commas don't count, but nobody needs thousands of them.
const MOST_COMMAS = 1_000;

export const hangmanQuery = z.object({
  game: z
    .enum(games, { error: messages.game })
    .default('hangman')
    .meta({ description: 'Which game the word is for; wordguess allows more guesses for long words' }),
  exclude: z
    .string()
    .default('')
    .transform((text, context) => {
      const parts = text.split(',', MOST_COMMAS + 1);
      const words = new Set(parts.map((part) => part.trim().toLowerCase()).filter((word) => word !== ''));
      if (words.size <= MOST_EXCLUDED && parts.length <= MOST_COMMAS) return words;
      context.addIssue({ code: 'custom', message: messages.tooMany });
      return z.NEVER;
    })
    .meta({
      type: 'string',
      description: 'Words that are not wanted, with commas between, any case, at most 100',
      example: 'piano,harbor',
    }),
});

export const hangmanReply = z
  .object({
    success: z.literal(true),
    word: z.string(),
    hint: z.string(),
    maxGuesses: z.number().int().meta({ description: 'Wrong guesses allowed' }),
    total: z.number().int().meta({ description: 'Words in the whole list' }),
  })
  .meta({ id: 'HangmanWord' });
