import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { readDataFile } from '../../core/process/project-files.js';
import { parameterError } from '../http/errors.js';
import { uncachedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { lenientQuery } from '../parameters/query.js';

export function hangmanRoutes(words: readonly Word[] = loadWords()): Route[] {
  const [exampleWord = { word: 'piano', hint: '' }] = words;
  return [
    defineRoute({
      path: '/random/hangman',
      limit: 'utility',
      query: lenientQuery(hangmanQuery),
      description: {
        summary: 'A random word to guess, with a hint',
        description: 'Wrong guesses allowed: 6, or 8 for `game=wordguess` and a word of 5 or more letters.',
        tags: ['Games'],
        responses: {
          200: jsonResponse('The word', hangmanReply, bodyFor(exampleWord, 'hangman', words)),
          ...errorResponses({ 400: messages.game }),
        },
      },
      handle({ game, exclude }) {
        const word = pickWord(words, exclude);
        if (!word) throw parameterError(400, 'exclude', messages.allExcluded);
        return uncachedJson(bodyFor(word, game, words));
      },
    }),
  ];
}

function bodyFor({ word, hint }: Word, game: Game, words: readonly Word[]): z.infer<typeof hangmanReply> {
  return { success: true, word, hint, maxGuesses: maxGuesses(game, word), total: words.length };
}

const games = ['hangman', 'wordguess'] as const;
type Game = (typeof games)[number];

const wordList = z.array(z.object({ word: z.string(), hint: z.string() })).min(1);

type Word = z.infer<typeof wordList>[number];

function loadWords(): readonly Word[] {
  return readDataFile('words.json', wordList);
}

const LONG_WORD = 5;

export function maxGuesses(game: Game, word: string): number {
  return game === 'wordguess' && word.length >= LONG_WORD ? 8 : 6;
}

/** All with equal probability; `excluded` is in lower case. Undefined if none is left. */
function pickWord(words: readonly Word[], excluded: ReadonlySet<string>): Word | undefined {
  const left = words.filter(({ word }) => !excluded.has(word.toLowerCase()));
  return left.length === 0 ? undefined : left[randomInt(left.length)];
}

const messages = {
  game: '"game" must be "hangman" or "wordguess".',
  allExcluded: 'All words have been excluded.',
  tooMany: '"exclude" cannot contain more than 100 words.',
};

const MOST_EXCLUDED = 100;

const hangmanQuery = z.object({
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
});

const hangmanReply = z
  .object({
    success: z.literal(true),
    word: z.string(),
    hint: z.string(),
    maxGuesses: z.number().int().meta({ description: 'Wrong guesses allowed' }),
    total: z.number().int().meta({ description: 'Words in the whole list' }),
  })
  .meta({ id: 'HangmanWord' });
