import type * as z from 'zod';
import { parameterError } from '../http/errors.js';
import { uncachedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { lenientQuery } from '../parameters/query.js';
import {
  type Game,
  hangmanQuery,
  hangmanReply,
  loadWords,
  maxGuesses,
  messages,
  pickWord,
  type Word,
} from './game.js';

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
