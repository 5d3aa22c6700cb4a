import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { providers } from '../../../core/domain/providers.js';
import { databaseUnavailable, overloaded, tooManyRequests } from '../../../src/http/errors.js';
import { reasonOf } from '../../../src/pages/problem.js';
import { languages, readerOf } from '../../../src/pages/reader.js';
import { invalidAmount } from '../../../src/parameters/hints.js';
import { breaking, FEW_RATES, PAGES, pagesOver } from './support.js';

const pages = pagesOver(FEW_RATES, '2026-03-20T17:30:00Z');
const OTHERS = [...languages.keys()].filter((language) => language !== 'en');
const names = new Set(providers.map(({ name }) => name));

/** What a reader sees or hears of a page, but names, code, and quotations that are marked as English. */
function textsOf(page: string): string[] {
  const $ = load(page);
  const attributes = ['aria-label', 'title', 'placeholder', 'alt', 'content'].flatMap((name) =>
    $(`[${name}]`)
      .toArray()
      .map((one) => $(one).attr(name) ?? ''),
  );
  $('code, pre, script, [lang=en]:not(html)').remove();
  const nodes = $('*')
    .contents()
    .toArray()
    .flatMap((node) => (node.type === 'text' ? [node.data] : []));
  return [...nodes, ...attributes].map((text) => text.trim()).filter((text) => !names.has(text));
}

/** A text with three words in a row, at least one of them in lower case. */
const isSentence = (text: string) => /\p{L}+ \p{Ll}+ \p{L}+/u.test(text);

const OTHER_PAGES = ['/status?state=all', '/currency/DEM', '/currency/ZZZ', '/provider/ZZZ', '/nope'];
const ERRORS = [
  '/?date=2026-02-30',
  '/?date=02.03.2026',
  '/?date=1980-01-01',
  '/?amount=ten',
  `/?amount=${'9'.repeat(31)}`,
  '/?base=EUO',
  '/?base=XAU',
  '/?amount=1&amount=2',
  '/?amount=%ZZ',
  '/rules?date=1980-01-01',
  '/rules?date=2026-03-25',
  '/currency/%ZZ',
  '/v2/ratez',
];

test.each([...PAGES, ...OTHER_PAGES, ...ERRORS])(
  '%s has no English sentence in another language',
  async (path) => {
    const english = new Set(textsOf(await pages.textOf(path)).filter(isSentence));
    expect(english.size).toBeGreaterThan(0);
    for (const language of OTHERS) {
      const texts = textsOf(await pages.textOf(path, language));
      expect([language, texts.filter((text) => english.has(text))]).toEqual([language, []]);
    }
  },
);

const message = (work: () => unknown) => {
  try {
    return String(work());
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  [tooManyRequests(3, 20), 'Erlaubt sind 3 pro Minute.'],
  [overloaded().message, 'Der Dienst ist ausgelastet.'],
  [message(() => databaseUnavailable(new Error('connection lost'))), 'Die Datenbank ist nicht erreichbar.'],
  ['the rates are changing right now', 'Die Kurse werden gerade aktualisiert.'],
  ['rates before 2020-01-01 are still being loaded', 'Kurse vor dem 1. Januar 2020 werden noch geladen.'],
  [invalidAmount('9e99'), 'Geben Sie eine Zahl mit höchstens 30 Ziffern ein.'],
  [
    'not published yet: ECB has no rate of USD of 2026-03-20; it is expected from 2026-03-20T15:00Z on',
    'Der Kurs ist noch nicht veröffentlicht. ECB hat für USD am verlangten Tag keinen Kurs. Er wird ab 20. März, 15:00 UTC erwartet.',
  ],
  ['something went wrong on our side', ''],
])('%s is said in German', (text, expected) => {
  expect(breaking(reasonOf(text, readerOf('de')))).toBe(expected);
});
