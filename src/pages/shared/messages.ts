import { IntlMessageFormat } from 'intl-messageformat';
import type en from '../messages/en.json';
import type { Formats } from './format.js';

/** The name of a message, such as `converter.rate`. */
export type MessageKey = keyof typeof en;

/** The messages of a language in ICU MessageFormat. build.mjs parses those with arguments for browsers. */
export type Messages = Readonly<Record<MessageKey, ConstructorParameters<typeof IntlMessageFormat>[0]>>;

/** Returns a message with its arguments. Throws a FormatError if one is missing. */
export type Say = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

/** The formats and messages of a text. */
export interface Writing {
  formats: Formats;
  say: Say;
}

/** Creates the function that returns messages. Numbers in them are formatted for the locale. */
export function createSay(messages: Messages, locale: string): Say {
  const [numbers, plurals] = [new Intl.NumberFormat(locale), new Intl.PluralRules(locale)];
  const formatters = {
    getNumberFormat: () => numbers,
    getPluralRules: () => plurals,
    getDateTimeFormat: () => new Intl.DateTimeFormat(locale),
  };
  const parsed = new Map<MessageKey, IntlMessageFormat>();
  return (key, values) => {
    const message = messages[key];
    if (typeof message === 'string' && !message.includes('{')) return message;
    let format = parsed.get(key);
    if (!format) {
      format = new IntlMessageFormat(message, locale, undefined, { formatters });
      parsed.set(key, format);
    }
    return String(format.format(values));
  };
}
