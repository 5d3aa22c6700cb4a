import { Router } from 'express';
import { errorResponses } from '../http/error-responses.js';
import { readUtilityQuery } from '../http/utility-query.js';
import type { RelayingContext } from '../relay/context.js';
import { createRelay } from '../relay/relay.js';
import { sendRelayed } from '../relay/send-relayed.js';
import { openUpstream } from '../relay/upstream.js';
import type { Translated, TranslationEngine } from './engine.js';
import { libreTranslate } from './libretranslate.js';
import { myMemory } from './mymemory.js';
import { translateAnswer, translateExample, translateQuery } from './schema.js';
import { translate } from './translate.js';

const UNAVAILABLE = 'the translation service gave no answer';
const MONTH = 30 * 24 * 3600;
/** A long text is some thirty pieces, which wait for their turn. */
const WAITING = 256;

/** `GET /translate/text`, from LibreTranslate where its URL is set, else from MyMemory. */
export function translateRoutes(context: RelayingContext): Router {
  const engine = chooseEngine(context);
  const relay = createRelay<Translated>(context, {
    name: `translation-${engine.name}`,
    unavailable: UNAVAILABLE,
    freshSeconds: MONTH,
    staleSeconds: 0,
    shared: false,
  });
  context.document.registerPath({
    method: 'get',
    path: '/translate/text',
    summary: 'A text in another language',
    description:
      'The text goes to the translation service that this server is set up with; MyMemory, the default, keeps ' +
      'it. Longer texts are cut at sentence or word ends and put together again. Languages that are one to the ' +
      'engine (`zh` and `zh-CN`) are answered with the text as it is; `pt` and `pt-BR` are two.',
    tags: ['Translation'],
    request: { query: translateQuery },
    responses: {
      200: {
        description: 'The translation',
        content: { 'application/json': { schema: translateAnswer, example: translateExample } },
      },
      ...errorResponses({ 400: 'to is not a known BCP 47 language code', 502: UNAVAILABLE }),
    },
  });
  const router = Router();
  router.get('/translate/text', async (request, response) => {
    const { text, from, to } = readUtilityQuery(request, translateQuery);
    const fromCode = from === undefined ? undefined : engine.codeOf(from);
    const toCode = engine.codeOf(to);
    const same = from !== undefined && fromCode === toCode;
    const answer = same
      ? { value: { text, from }, ageSeconds: 0, cacheControl: `private, max-age=${MONTH}` }
      : await relay.fetch([fromCode, toCode, text], (signal) =>
          translate(engine, { text, from, to }, signal),
        );
    await sendRelayed(request, response, answer, {
      success: true,
      from: from ?? answer.value.from,
      to,
      original: text,
      translated: answer.value.text,
      engine: same ? 'none' : engine.name,
    });
  });
  return router;
}

function chooseEngine({ config, clock, upstreamObserver: observer }: RelayingContext): TranslationEngine {
  if (config.LIBRETRANSLATE_URL !== undefined) {
    // Some set the address of the call itself.
    const baseUrl = config.LIBRETRANSLATE_URL.replace(/\/translate$/, '');
    const upstream = openUpstream({ name: 'libretranslate', baseUrl, clock, observer, waiting: WAITING });
    return libreTranslate(upstream, config.LIBRETRANSLATE_API_KEY);
  }
  const baseUrl = config.TRANSLATE_URL ?? 'https://api.mymemory.translated.net';
  const upstream = openUpstream({ name: 'mymemory', baseUrl, clock, observer, waiting: WAITING });
  return myMemory(upstream, config.MYMEMORY_EMAIL);
}
