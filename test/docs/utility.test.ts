import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { fillEmptyPhrases } from '../../core/database/refusal-phrases.js';
import { busReply } from '../../src/bus/arrivals.js';
import { locationReply } from '../../src/geocoding/address.js';
import { readPhrases } from '../../src/no/no-routes.js';
import { translateReply } from '../../src/translate/translate-routes.js';
import { currentReply } from '../../src/weather/current.js';
import { searchReply } from '../../src/weather/search.js';
import { upstreamAnswers } from '../src/utilities/payloads.js';
import { upstreamsAt } from '../src/utilities/support.js';
import { startApi, type TestApi } from '../support/api.js';
import { type HttpStub, httpStub } from '../support/http-stub.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { curlMissing, documented, examplesOf, read, run } from './support.js';

const NOW = '2026-11-21T06:00:00Z';

const SCHEMAS: Record<string, z.ZodType> = {
  '/weather/search': searchReply,
  '/weather/current': currentReply,
  '/sg/bus-arrivals': busReply,
  '/detect/location': locationReply,
  '/translate/text': translateReply,
};

describe.skipIf(curlMissing)('the examples of the utility routes', () => {
  const examples = examplesOf('docs/utility.md').map((example) => ({
    ...example,
    path: /8080(\/[\w/-]+)/.exec(example.command)?.[1] ?? '',
  }));
  let database: TestDatabase;
  let stub: HttpStub;
  let api: TestApi;

  beforeAll(async () => {
    database = await testDatabase();
    await fillEmptyPhrases(database, readPhrases());
    stub = await httpStub(upstreamAnswers(NOW));
    const variables = { ...upstreamsAt(stub.url), OPENCAGE_API_KEY: 'key' };
    api = await startApi(database, { clock: () => new Date(NOW), variables });
  });
  afterAll(async () => {
    await api?.close();
    await stub?.close();
    await database?.close();
  });

  it('are found, one at least for each of the seven routes', () => {
    expect(examples.map(({ path }) => path).join(' ')).toBe(
      '/weather/search /weather/current /sg/bus-arrivals /detect/location ' +
        '/translate/text /translate/text /random/hangman /no',
    );
  });

  it.each(examples)('$command', async ({ command, response, path }) => {
    const real = JSON.parse(await run(command, api.url));
    expect(real).toMatchObject({ success: true });
    if (response === undefined) return;
    const shown = documented(response) as Record<string, unknown>;
    expect(Object.keys(shown)).toEqual(Object.keys(real));
    if ('word' in shown) expect(JSON.parse(read('data/words.json'))).toContainEqual(wordIn(shown));
    else if ('reason' in shown) expect(JSON.parse(read('data/phrases.json'))).toContain(shown.reason);
    // The order counts too. The values are tested beside each of the routes.
    else expect(JSON.stringify(SCHEMAS[path]?.parse(shown), null, 2)).toBe(JSON.stringify(shown, null, 2));
  });

  const wordIn = ({ word, hint }: Record<string, unknown>) => expect.objectContaining({ word, hint });
});
