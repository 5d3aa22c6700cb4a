import * as z from 'zod';
import { uncachedJson } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';
import { errorResponses, jsonResponse } from '../openapi/responses.js';
import { checkLeniently, lenientQuery, parsedText } from '../parameters/query.js';
import { textParameter } from '../parameters/utility-parameters.js';
import { createRelay, openCachedCopies, type RelayingContext, relayReply } from '../relay/relay.js';
import { openUpstream } from '../relay/upstream.js';
import { readLanguage } from './languages.js';
import { libreTranslate } from './libretranslate.js';
import { myMemory } from './mymemory.js';
import { type Translated, type TranslationEngine, translate } from './translate.js';

const language = (name: string) =>
  parsedText(readLanguage, () => `${name} must be a BCP 47 language code that is known, such as it or pt-BR`);

const translateQuery = z.object({
  text: textParameter('text', 1, 5000)
    .refine((text) => text.trim() !== '', { error: 'text must not be blank' })
    .meta({
      description: 'What to translate',
      example: 'Hello World!',
    }),
  from: z
    .preprocess(
      (text) => (typeof text === 'string' && text.toLowerCase() === 'auto' ? undefined : text),
      language('from').optional(),
    )
    .meta({ description: 'BCP 47; detected if missing or `auto`', example: 'en' })
    .optional(),
  to: language('to').meta({ description: 'BCP 47, such as `it` or `pt-BR`', example: 'it' }),
});

export const translateReply = z
  .object({
    success: z.literal(true),
    from: z.string().meta({ description: 'As given, or as detected; `und` if that failed', example: 'en' }),
    to: z.string().meta({ example: 'it' }),
    original: z.string().meta({ example: 'Hello World!' }),
    translated: z.string().meta({ example: 'Ciao Mondo!' }),
    engine: z.string().meta({ description: '`none` if both languages are the same', example: 'mymemory' }),
  })
  .meta({ id: 'Translation' });

const UNAVAILABLE = 'the translation service gave no answer';
const MONTH = 30 * 24 * 3600;

/** 5,000 characters of two six-byte escapes each, and the JSON around them. */
const LARGEST_BODY = 64 * 1024;

const DESCRIPTION = {
  summary: 'Translate a text',
  description:
    'The text is sent to the translation service that this server uses; MyMemory, the default, keeps ' +
    'it. Longer texts are cut at sentence or word ends and joined again. Languages that are one to the ' +
    'engine (`zh` and `zh-CN`) return the text unchanged; `pt` and `pt-BR` are two.',
  tags: ['Translation'],
  responses: {
    200: jsonResponse('The translation', translateReply),
    ...errorResponses({
      400: 'to must be a BCP 47 language code that is known, such as it or pt-BR',
      502: UNAVAILABLE,
    }),
  },
};

/** From LibreTranslate if its URL is configured, else from MyMemory. */
export function translateRoutes(context: RelayingContext): Route[] {
  const translation = openTranslation(context);
  return [
    defineRoute({
      path: '/translate/text',
      limit: 'relay',
      query: lenientQuery(translateQuery),
      description: DESCRIPTION,
      async handle(request) {
        const { relayed, body } = await translation(request);
        return relayReply(relayed, body);
      },
    }),
    defineRoute({
      method: 'post',
      path: '/translate/text',
      limit: 'relay',
      body: 'json',
      largestBody: LARGEST_BODY,
      description: {
        ...DESCRIPTION,
        operationId: 'translateLongText',
        summary: 'Translate a long text',
        body: translateQuery,
        bodyExample: { text: 'Hello World!', to: 'it' },
      },
      async handle(_query, { body: given }) {
        return uncachedJson((await translation(checkLeniently(translateQuery, given))).body);
      },
    }),
  ];
}

function openTranslation(context: RelayingContext) {
  const engine = chooseEngine(context);
  const { name } = engine;
  const upstream = openUpstream(context, { name, baseUrl: engine.baseUrl });
  const copies = openCachedCopies<Translated>(context.cache, `translation-piece-${name}`, MONTH);
  const relay = createRelay<Translated>(context, {
    name: `translation-${name}`,
    unavailable: UNAVAILABLE,
    freshSeconds: MONTH,
    staleSeconds: 0,
    shared: false,
  });

  return async ({ text, from, to }: z.output<typeof translateQuery>) => {
    const fromCode = from === undefined ? undefined : engine.codeOf(from);
    const toCode = engine.codeOf(to);
    const isSame = from !== undefined && fromCode === toCode;
    // If one piece of a long text fails, the next request for the text translates only the missing pieces.
    const isLong = engine.fitting(text) < text.length;
    const translator = { engine, upstream, clock: context.clock, ...(isLong && { copies }) };
    const relayed = isSame
      ? { value: { text, from }, ageSeconds: 0, cacheControl: `private, max-age=${MONTH}` }
      : await relay.fetch([fromCode, toCode, text], (signal) =>
          translate({ ...translator, signal }, { text, from, to }),
        );
    const body: z.infer<typeof translateReply> = {
      success: true,
      from: from ?? relayed.value.from,
      to,
      original: text,
      translated: relayed.value.text,
      engine: isSame ? 'none' : name,
    };
    return { relayed, body };
  };
}

function chooseEngine({ config }: RelayingContext): TranslationEngine & { baseUrl: string } {
  const { LIBRETRANSLATE_URL: url, TRANSLATE_URL = 'https://api.mymemory.translated.net' } = config;
  if (url === undefined) return { ...myMemory(config.MYMEMORY_EMAIL), baseUrl: TRANSLATE_URL };
  // Some operators configure the URL of the call itself.
  return { ...libreTranslate(config.LIBRETRANSLATE_API_KEY), baseUrl: url.replace(/\/translate$/, '') };
}
