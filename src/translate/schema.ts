import * as z from 'zod';
import { parsedText } from '../parameters/query.js';
import { textParameter } from '../parameters/utility-parameters.js';
import { readLanguage } from './languages.js';

const language = (name: string) =>
  parsedText(
    readLanguage,
    () => `${name} must be a BCP 47 language code that is known, such as it or pt-BR`,
  ).meta({ type: 'string' });

export const translateQuery = z.object({
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
    .meta({ type: 'string', description: 'BCP 47; detected if missing or `auto`', example: 'en' })
    .optional(),
  to: language('to').meta({ description: 'BCP 47, such as `it` or `pt-BR`', example: 'it' }),
});

export const translateReply = z
  .object({
    success: z.literal(true),
    from: z.string().meta({ description: 'As given, or as detected; `und` if that failed' }),
    to: z.string(),
    original: z.string(),
    translated: z.string(),
    engine: z.string().meta({ description: '`none` if both languages are the same' }),
  })
  .meta({ id: 'Translation' });

export const translateExample: z.infer<typeof translateReply> = {
  success: true,
  from: 'en',
  to: 'it',
  original: 'Hello World!',
  translated: 'Ciao Mondo!',
  engine: 'mymemory',
};
