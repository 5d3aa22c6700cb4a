import { describe, expect, test } from 'vitest';
import { languages } from '../../../src/pages/shared/messages/languages.js';

/** Words that another language spells as English does. */
const SAME = /^(Status|Pages|1M|6M|Sources?|API|Date|Site|no|Format|(Sources|API) · Almanac)$/;

/** What a page says, or how it says it of something. */
type Message = string | ((...parts: string[]) => string);

/** Every message by its path, such as `frame.skip`. */
function messagesOf(within: object, path = ''): [path: string, message: Message][] {
  return Object.entries(within).flatMap(([name, value]): [string, Message][] =>
    typeof value === 'object' ? messagesOf(value, `${path}${name}.`) : [[`${path}${name}`, value]],
  );
}

function textOf(message: Message): string {
  return typeof message === 'string' ? message : message(...partsOf(message));
}

/** One for each part that a message puts in, so that it can be found again. */
function partsOf(message: Message): string[] {
  return typeof message === 'string' ? [] : Array.from({ length: message.length }, (_, at) => `<${at + 1}>`);
}

const { en, ...others } = languages;
const english = new Map(messagesOf(en));

describe.each(Object.entries(others))('%s', (_language, messages) => {
  test.each(messagesOf(messages))('%s is translated, with all of its parts', (path, message) => {
    const original = english.get(path) ?? '';
    const text = textOf(message);
    expect(text.trim()).not.toBe('');
    for (const part of partsOf(original)) expect(text).toContain(part);
    if (path !== 'direction' && !SAME.test(text)) expect(text).not.toBe(textOf(original));
  });
});
