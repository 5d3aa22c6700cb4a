import { afterEach, beforeEach, expect, it } from 'vitest';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { type HttpStub, httpStub } from '../../support/http-stub.js';
import { myMemory } from '../utilities/payloads.js';
import { logLines, movableClock, relayingContext, serve } from '../utilities/support.js';

let stub: HttpStub;
let api: Awaited<ReturnType<typeof serve>>;

beforeEach(async () => {
  stub = await httpStub();
  // Says which languages it was asked for.
  stub.route('/get', ({ query }, response) => {
    response.end(JSON.stringify(myMemory(`${query.get('langpair')}.`)));
  });
  const { log } = logLines();
  const { clock } = movableClock('2026-11-21T06:00:00Z');
  const context = relayingContext({ variables: { TRANSLATE_URL: stub.url }, clock, log });
  api = await serve(translateRoutes(context), log);
});
afterEach(async () => {
  await api.close();
  await stub.close();
});

const ask = async (text: string, from: string | undefined, to: string) => {
  const query = new URLSearchParams({ text, to, ...(from === undefined ? {} : { from }) });
  return (await api.get(`/translate/text?${query}`)).body.translated;
};

const short = 'Gift';
const long = Array.from({ length: 12 }, (_, n) => `Die Glocke Nummer ${n} ist ein Gift in hellem Blau.`).join(
  ' ',
);

it.each([
  ['a word', short],
  ['a text in pieces', long],
])('%s is kept for its own pair of languages', async (_what, text) => {
  const pairs: [string | undefined, string][] = [
    ['en', 'it'],
    ['de', 'it'],
    ['de', 'fr'],
    [undefined, 'fr'],
  ];
  for (const [from, to] of pairs) {
    expect(await ask(text, from, to)).toContain(`${from ?? 'autodetect'}|${to}`);
  }
  const asked = stub.requests.length;
  for (const [from, to] of pairs) await ask(text, from, to);
  expect(stub.requests).toHaveLength(asked);
});
