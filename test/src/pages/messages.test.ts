import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { languages } from '../../../src/pages/reader.js';
import { createSay } from '../../../src/pages/shared/messages.js';

const PAGES = join(projectFolder, 'src/pages');
const source = readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join(PAGES, path), 'utf8'))
  .join('\n');

/** The arguments of a message, and whether it formats them as numbers. */
function argumentsOf(elements: readonly MessageFormatElement[]): [name: string, isNumber: boolean][] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.argument) return [[element.value, false]];
    if (element.type === TYPE.number) return [[element.value, true]];
    if (element.type !== TYPE.plural) return [];
    const options = Object.values(element.options).flatMap(({ value }) => argumentsOf(value));
    return [[element.value, true], ...options];
  });
}

const textsOf = (language: string): [key: string, text: string][] =>
  Object.entries(languages.get(language) ?? {}).map(([key, text]) => [key, String(text)]);
const argumentsIn = (text: string) => Object.fromEntries([...new Map(argumentsOf(parse(text)))].sort());
const english = new Map(textsOf('en'));

describe.each([...languages.keys()])('%s', (language) => {
  const own = textsOf(language);

  test('has every message with its arguments, and no other', () => {
    const given = new Map(own.map(([key, text]) => [key, argumentsIn(text)]));
    expect(given).toEqual(new Map([...english].map(([key, text]) => [key, argumentsIn(text)])));
    expect(own.filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('is translated, except for words that are the same', () => {
    const same = own.filter(([key, text]) => text === english.get(key));
    if (language !== 'en') expect(same.length / own.length).toBeLessThan(0.1);
  });

  test('has no character that ICU reads as markup or quotes: without arguments, a message stays as it is', () => {
    expect(own.filter(([, text]) => /['<>]/.test(text))).toEqual([]);
  });
});

test('numbers are written as in the locale, in the plural of the language', () => {
  const sayIn = (locale: string) => createSay(languages.get(locale.slice(0, 2)) ?? expect.fail(), locale);
  const days = (locale: string, count: number) => sayIn(locale)('chart.counts.day', { count });
  expect([1, 2].map((count) => days('en-GB', count))).toEqual(['1 day', '2 days']);
  expect([2, 3, 11].map((count) => days('ar-EG', count))).toEqual(['يومان', '3 أيام', '11 يومًا']);
  expect(days('de-DE', 1234)).toBe('1.234 Tage');
  expect(() => sayIn('en')('chart.counts.day')).toThrow('count');
});

test('every message is used', () => {
  const literals = new Set([...source.matchAll(/'([\w.]+(?: \w+)?)'/g)].map(([, key]) => key));
  const templates = [...source.matchAll(/`([a-z]\w*\.[^`]*\$\{[^`]*)`/gi)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  );
  const isUsed = (key: string) => literals.has(key) || templates.some((template) => template.test(key));
  expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
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
    for (const name of Object.keys(argumentsIn(english.get(key) ?? '')))
      expect([given, given.includes(name)]).toEqual([given, true]);
  }
});
