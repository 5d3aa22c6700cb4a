import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { languages } from '../../../src/pages/languages.js';
import { createSay, type MessageKey } from '../../../src/pages/shared/messages.js';

/** Messages that are the same in another language as in English. */
const SAME =
  /^(ltr|Status|Pages|1M|6M|Sources?|API|Date|Site|no|Format|Conversion|\{count, plural, one \{# source.*|(Sources|API) · Almanac)$/;

type Argument = readonly [name: string, isNumber: boolean];

/** The arguments of a message, and whether it formats them as numbers. */
function argumentsOf(elements: readonly MessageFormatElement[]): Argument[] {
  return elements.flatMap((element): Argument[] => {
    switch (element.type) {
      case TYPE.argument:
        return [[element.value, false]];
      case TYPE.number:
        return [[element.value, true]];
      case TYPE.plural:
        return [
          [element.value, true],
          ...Object.values(element.options).flatMap(({ value }) => argumentsOf(value)),
        ];
      default:
        return [];
    }
  });
}

const sorted = (text: string) => [...new Map(argumentsOf(parse(text)))].sort();

const texts = new Map([...languages].map(([language, messages]) => [language, textsOf(messages)]));
const english = texts.get('en') ?? {};

function textsOf(messages: object): Record<string, string> {
  return Object.fromEntries(Object.entries(messages).map(([key, text]) => [key, String(text)]));
}

describe.each([...texts])('%s', (language, own) => {
  test('has every message and no other', () => {
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
  });

  test.each(Object.entries(own))('%s is translated, with the same arguments', (key, text) => {
    expect(text.trim()).not.toBe('');
    expect(sorted(text)).toEqual(sorted(english[key] ?? ''));
    if (language !== 'en' && !SAME.test(text)) expect(text).not.toBe(english[key]);
    // Browsers and the server format a message without arguments as it is written.
    expect(text).not.toMatch(/['<>]/);
  });

  test('writes no figure itself where the language has digits of its own', () => {
    const { numberingSystem } = new Intl.NumberFormat(
      String(new Intl.Locale(language).maximize()),
    ).resolvedOptions();
    const written = Object.entries(own).filter(([, text]) => /\d/.test(text.replace('ISO 4217', '')));
    if (numberingSystem !== 'latn') expect(written).toEqual([]);
  });
});

test('numbers are written with the digits of the locale, in the plural of the language', () => {
  const say = (locale: string, count: number, key: MessageKey = 'chart.counts.day') =>
    createSay(languages.get(locale.slice(0, 2)) ?? expect.fail(), locale)(key, { count });
  expect([1, 2].map((count) => say('en-GB', count))).toEqual(['1 day', '2 days']);
  expect([2, 3, 11].map((count) => say('ar-EG', count))).toEqual(['يومان', '٣ أيام', '١١ يومًا']);
  expect(say('de-DE', 1234)).toBe('1.234 Tage');
  expect(() => createSay(languages.get('en') ?? expect.fail(), 'en')('chart.counts.day')).toThrow('count');
});

const PAGES = join(projectFolder, 'src/pages');
const source = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(PAGES, path), 'utf8'))
  .join('\n');

test('every message is used', () => {
  const literal = new Set([...source.matchAll(/'([\w.]+(?: \w+)?)'/g)].map(([, key]) => key));
  const templates = [...source.matchAll(/`([a-z]\w*\.[^`]*\$\{[^`]*)`/gi)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  );
  const unused = Object.keys(english).filter(
    (key) => !literal.has(key) && !templates.some((template) => template.test(key)),
  );
  expect(unused).toEqual([]);
});

/** The text from a place up to the parenthesis that closes the one before it. */
function callFrom(start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0; end++) depth += { '(': 1, ')': -1 }[source[end] ?? ')'] ?? 0;
  return source.slice(start, end - 1);
}

test('every message gets its arguments where it is used', () => {
  const calls = [...source.matchAll(/\bsay\(\s*'([^']+)'/g)];
  expect(calls.length).toBeGreaterThan(200);
  for (const { 1: key = '', index } of calls) {
    const given = callFrom(index + 'say('.length);
    // Some pass a variable.
    if (/\.\.\.|, \w+$/.test(given)) continue;
    for (const [name] of argumentsOf(parse(english[key] ?? '')))
      expect([given, given.includes(name)]).toEqual([given, true]);
  }
});
