import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RATES_FORMATS, ratesRequest } from '../../../src/pages/shared/rates-request.js';
import {
  conversionSnippets,
  ratesSnippets,
  type Snippet,
  seriesSnippets,
} from '../../../src/pages/shared/snippets.js';
import { missingFor, openRunner, type Runner } from '../../docs/recipes.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { someRates, storeRows } from '../../support/rates.js';

const clock = () => new Date('2026-03-20T17:00:00Z');
/** What the runner puts the address of the service in place of. */
const ORIGIN = 'http://localhost:8080';
const PAIR = { base: 'EUR', quote: 'USD', newest: '2026-03-20' };
const LANGUAGES: Partial<Record<Snippet['name'], string>> = {
  curl: 'sh',
  Python: 'python',
  TypeScript: 'ts',
};

let database: TestDatabase;
let api: TestApi;
let runner: Runner;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, someRates());
  api = await startApi(database, { clock });
  runner = await openRunner(api.url);
});

afterAll(async () => {
  await runner?.close();
  await api?.close();
  await database?.close();
});

function newestAs(format: string): Snippet[] {
  return ratesSnippets(ORIGIN, ratesRequest(new URLSearchParams({ base: 'EUR', format }), PAIR.newest));
}

describe.each([
  [
    'a conversion',
    conversionSnippets(ORIGIN, { ...PAIR, amount: '1250.50', date: '2026-03-02' }),
    /14\d\d\.\d\d/,
  ],
  ['a month of a pair', seriesSnippets(ORIGIN, { ...PAIR, span: '1m' }), /2026-03-20/],
  ...RATES_FORMATS.map(
    (format) => [`the newest rates as ${format}`, newestAs(format), /2026-03-20/] as const,
  ),
] as const)('the request of %s', (_name, snippets, expected) => {
  it.for(snippets.map(({ name, text }) => ({ name, text })))(
    'works as it is copied: $name',
    { timeout: 90_000 },
    async ({ name, text }, context) => {
      // A spreadsheet is not here: what its formula asks for is a number or a table.
      const block = { language: LANGUAGES[name] ?? 'url', code: text, output: undefined };
      const missing = missingFor(block);
      context.skip(missing !== undefined, `there is no ${missing}`);
      const printed = await runner.run(block);
      if (text.includes('.txt')) expect(printed).toMatch(/^\d+\.\d+$/);
      else expect(printed).toMatch(expected);
      // Programs read the table that the others show.
      if (text.includes('.csv') && !['Python', 'TypeScript'].includes(name))
        expect(printed).toMatch(/^date,base,quote,rate/);
    },
  );
});
