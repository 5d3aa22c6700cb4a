import { Router } from 'express';
import type { z } from 'zod';
import type { AppContext } from '../context.js';
import { sendFresh } from '../http/bodies.js';
import { errorResponses } from '../http/error-responses.js';
import { parameterError } from '../http/errors.js';
import { readUtilityQuery } from '../http/utility-query.js';
import { maxGuesses, pickWord } from './game.js';
import { hangmanAnswer, hangmanQuery, messages } from './schema.js';
import { loadWords, type Word } from './words.js';

/** `GET /random/hangman`, from the word list that ships with the project. */
export function hangmanRoutes(
  context: Pick<AppContext, 'document'>,
  words: readonly Word[] = loadWords(),
): Router {
  const [exampleWord = { word: 'piano', hint: '' }] = words;
  context.document.registerPath({
    method: 'get',
    path: '/random/hangman',
    summary: 'A random word to guess, with a hint',
    description: 'Wrong guesses allowed: 6, or 8 for `game=wordguess` and a word of 5 or more letters.',
    tags: ['Games'],
    request: { query: hangmanQuery },
    responses: {
      200: {
        description: 'The word',
        content: {
          'application/json': { schema: hangmanAnswer, example: toAnswer(exampleWord, 'hangman', words) },
        },
      },
      ...errorResponses({ 400: messages.game }),
    },
  });
  const router = Router();
  router.get('/random/hangman', (request, response) => {
    const { game, exclude } = readUtilityQuery(request, hangmanQuery);
    const word = pickWord(words, exclude);
    if (!word) throw parameterError(400, 'exclude', messages.allExcluded);
    sendFresh(request, response, toAnswer(word, game, words));
  });
  return router;
}

function toAnswer(
  { word, hint }: Word,
  game: 'hangman' | 'wordguess',
  words: readonly Word[],
): z.infer<typeof hangmanAnswer> {
  return { success: true, word, hint, maxGuesses: maxGuesses(game, word), total: words.length };
}
