import { IntlMessageFormat } from 'intl-messageformat';
import type en from '../messages/en.json';
import { type Formats, withPlainFigures } from './format.js';

/** Such as `converter.rate`. */
export type MessageKey = keyof typeof en;

/** In ICU MessageFormat. build.mjs parses messages with arguments for browsers. */
export type Messages = Readonly<Record<MessageKey, ConstructorParameters<typeof IntlMessageFormat>[0]>>;

/** Throws a FormatError if an argument is missing. */
export type Say = (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;

export interface Writing {
  formats: Formats;
  say: Say;
}

/** Numbers are formatted for the locale. */
export function createSay(messages: Messages, locale: string): Say {
  const plain = String(withPlainFigures(locale));
  const parsed = new Map<MessageKey, IntlMessageFormat>();
  return (key, values) => {
    const message = messages[key];
    if (typeof message === 'string' && !message.includes('{')) return message;
    const format = parsed.get(key) ?? new IntlMessageFormat(message, plain);
    parsed.set(key, format);
    return String(format.format(values));
  };
}
