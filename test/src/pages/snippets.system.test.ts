import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RATES_FORMATS, ratesRequest } from '../../../src/pages/shared/requests.js';
import { conversionSnippets, ratesSnippets, seriesSnippets } from '../../../src/pages/shared/snippets.js';
import { missingFor, openRunner, type Runner } from '../../docs/recipes.js';
import { someRates } from '../../support/rates.js';
import { sharedApi } from '../../support/shared.js';

/** What the runner puts the address of the service in place of. */
const ORIGIN = 'http://localhost:8080';
const PAIR = { base: 'EUR', quote: 'USD', newest: '2026-03-20' };
/** A spreadsheet is not here: what its formula asks for is a number or a table. */
const LANGUAGES = new Map([
  ['curl', 'sh'],
  ['Python', 'python'],
  ['TypeScript', 'ts'],
]);

let runner: Runner;
beforeAll(async () => {
  runner = await openRunner((await sharedApi(someRates(), { now: '2026-03-20T17:00:00Z' })).url);
});
afterAll(() => runner?.close());

const newestAs = (format: string) =>
  ratesSnippets(ORIGIN, ratesRequest(new URLSearchParams({ base: 'EUR', format }), PAIR.newest));

const converting = conversionSnippets(ORIGIN, { ...PAIR, amount: '1250.50', date: '2026-03-02' });
describe.each([
  ['a conversion', converting, /14\d\d\.\d\d/],
  ['a month of a pair', seriesSnippets(ORIGIN, { ...PAIR, span: '1m' }), /2026-03-20/],
  ...RATES_FORMATS.map(
    (format) => [`the newest rates as ${format}`, newestAs(format), /2026-03-20/] as const,
  ),
] as const)('the request of %s', (_name, snippets, expected) => {
  it.for(snippets.map(({ name, text }) => ({ name, text })))(
    'works as it is copied: $name',
    { timeout: 90_000 },
    async ({ name, text }, context) => {
      const block = { language: LANGUAGES.get(name) ?? 'url', code: text, output: undefined };
      const missing = missingFor(block);
      context.skip(missing !== undefined, `there is no ${missing}`);
      const printed = await runner.run(block);
      expect(printed).toMatch(text.includes('.txt') ? /^\d+\.\d+$/ : expected);
      // Programs read the table that the others show.
      if (text.includes('.csv') && !['Python', 'TypeScript'].includes(name))
        expect(printed).toMatch(/^date,base,quote,rate/);
    },
  );
});
