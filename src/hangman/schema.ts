import * as z from 'zod';
import { integerParameter } from '../parameters/utility-parameters.js';
import { games } from './game.js';

export const messages = {
  game: '"game" must be "hangman" or "wordguess".',
  allExcluded: 'All words have been excluded.',
  noneSoLong: 'No word has that many letters: change minLength or maxLength.',
  tooMany: '"exclude" cannot contain more than 100 words.',
};

const MOST_EXCLUDED = 100;
const LONGEST_WORD = 30;

export const hangmanQuery = z.object({
  game: z
    .enum(games, { error: messages.game })
    .default('hangman')
    .meta({ description: 'Which game the word is for; wordguess allows more guesses for long words' }),
  exclude: z
    .string()
    .default('')
    .transform((text, context) => {
      const parts = text.split(',').map((part) => part.trim().toLowerCase());
      const words = new Set(parts.filter((word) => word !== ''));
      if (words.size <= MOST_EXCLUDED) return words;
      context.addIssue({ code: 'custom', message: messages.tooMany });
      return z.NEVER;
    })
    .meta({
      type: 'string',
      description: 'Words to leave out, separated by commas, in any case, at most 100',
      example: 'piano,harbor',
    }),
  minLength: integerParameter('minLength', 1, LONGEST_WORD)
    .meta({ description: 'Fewest letters of the word', example: 5 })
    .optional(),
  maxLength: integerParameter('maxLength', 1, LONGEST_WORD)
    .meta({ description: 'Most letters of the word', example: 8 })
    .optional(),
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
