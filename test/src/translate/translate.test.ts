import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { myMemory, myMemoryRefusal } from '../utilities/payloads.js';
import { logLines, type MovableClock, movableClock, relayingContext, serve } from '../utilities/support.js';

let stub: HttpStub;
let time: MovableClock;
let logged: ReturnType<typeof logLines>;
let api: Awaited<ReturnType<typeof serve>>;

beforeEach(async () => {
  stub = await httpStub();
  time = movableClock('2026-11-21T06:00:00Z');
  logged = logLines();
});
afterEach(async () => {
  await api.close();
  await stub.close();
});

async function start(variables: Record<string, string>) {
  const context = relayingContext({ variables, clock: time.clock, log: logged.log });
  api = await serve(translateRoutes(context), logged.log);
}

const ask = (query: Record<string, string>) => api.get(`/translate/text?${new URLSearchParams(query)}`);
const langpairs = () => stub.requests.map(({ query }) => query.get('langpair'));
const pieces = () => stub.requests.map(({ query }) => query.get('q') ?? '');

describe('MyMemory', () => {
  beforeEach(async () => {
    await start({ TRANSLATE_URL: stub.url, MYMEMORY_EMAIL: 'me@example.org' });
    stub.route('/get', ({ query }, response) => {
      response.end(JSON.stringify(myMemory((query.get('q') ?? '').toUpperCase())));
    });
  });

  it('answers every field in order', async () => {
    const { status, headers, body } = await ask({ text: 'Hello, you!', from: 'en', to: 'it' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, max-age=2592000');
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        success: true,
        from: 'en',
        to: 'it',
        original: 'Hello, you!',
        translated: 'HELLO, YOU!',
        engine: 'mymemory',
      }),
    );
    expect(Object.fromEntries(stub.requests[0]?.query ?? [])).toEqual({
      q: 'Hello, you!',
      langpair: 'en|it',
      de: 'me@example.org',
    });
  });

  it.each([
    ['what it detected', { responseData: { translatedText: 'x', detectedLanguage: 'it' } }, 'it'],
    ['the source of its match', { responseData: { translatedText: 'x' } }, 'en'],
    ['und where it can not tell', { responseData: { translatedText: 'x' }, matches: [] }, 'und'],
    [
      'Chinese in our spelling',
      { responseData: { translatedText: 'x', detectedLanguage: 'zh-TW' } },
      'zh-TW',
    ],
  ])('answers in `from`, when there was none, %s', async (_, more, from) => {
    stub.route('/get', answer(myMemory('x', more)));
    expect((await ask({ text: 'abc', to: 'fr' })).body.from).toBe(from);
    expect(langpairs()).toEqual(['autodetect|fr']);
  });

  it.each([
    ['en', 'pt-br', 'en|pt-BR', 'pt-BR'],
    ['en', 'pt', 'en|pt-PT', 'pt'],
    ['en', 'zh', 'en|zh-CN', 'zh'],
    ['en', 'zh_hk', 'en|zh-TW', 'zh-HK'],
    ['en', 'zh-Hant', 'en|zh-TW', 'zh-Hant'],
    ['en-GB', 'es-MX', 'en-GB|es-MX', 'es-MX'],
    ['nb', 'FR', 'nb-NO|fr', 'fr'],
    ['pt', 'pt-BR', 'pt-PT|pt-BR', 'pt-BR'],
    ['en', 'en-GB', 'en|en-GB', 'en-GB'],
  ])('%s to %s is asked as %s', async (from, to, langpair, answered) => {
    const { body } = await ask({ text: 'abc', from, to });
    expect(langpairs()).toEqual([langpair]);
    expect(body.to).toBe(answered);
  });

  it.each([
    ['en', 'en'],
    ['EN', 'en'],
    ['pt-BR', 'pt_br'],
    ['zh', 'zh-CN'],
    ['zh-Hans', 'zh-SG'],
    ['nb', 'no'],
  ])('%s to %s needs nobody', async (from, to) => {
    const { status, body } = await ask({ text: ' as it is ', from, to });
    expect([status, body.translated, body.engine]).toEqual([200, ' as it is ', 'none']);
    expect(stub.requests).toEqual([]);
  });

  it('finds the text to be in the language wanted already', async () => {
    stub.route('/get', answer(myMemoryRefusal('PLEASE SELECT TWO DISTINCT LANGUAGES')));
    expect((await ask({ text: 'ciao', to: 'it' })).body).toMatchObject({ from: 'it', translated: 'ciao' });
  });

  it('tries a language without its region before refusing it', async () => {
    stub.route('/get', ({ query }, response) => {
      const known = query.get('langpair') === 'en|es';
      response.end(
        JSON.stringify(known ? myMemory('hola') : myMemoryRefusal("'ES-MX' IS AN INVALID TARGET LANGUAGE .")),
      );
    });
    const { body } = await ask({ text: 'hello', from: 'en', to: 'es-MX' });
    expect(body).toMatchObject({ to: 'es-MX', translated: 'hola' });
  });

  it.each([
    ['to', "'XX' IS AN INVALID TARGET LANGUAGE . EXAMPLE: LANGPAIR=EN|IT"],
    ['from', "'XX' IS AN INVALID SOURCE LANGUAGE . EXAMPLE: LANGPAIR=EN|IT"],
  ])('refuses a language it does not know: %s', async (parameter, text) => {
    stub.route('/get', answer(myMemoryRefusal(text)));
    const { status, body } = await ask({ text: 'hello', from: 'en', to: 'tlh' });
    expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
    expect(JSON.stringify(body)).not.toContain('INVALID');
  });

  it.each([
    ['its quota inside a 200', 200, myMemoryRefusal('MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE', 200)],
    ['its quota as a 429', 429, myMemoryRefusal('MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE', 429)],
    ['quotaFinished', 200, myMemory('ciao', { quotaFinished: true })],
    ['a 403 inside a 200', 200, myMemoryRefusal('INVALID EMAIL PROVIDED')],
    [
      'a refusal that calls itself a 200',
      200,
      myMemory('QUERY LENGTH LIMIT EXCEEDED. MAX ALLOWED QUERY : 500 CHARS'),
    ],
    ['an empty translation', 200, myMemory('')],
    ['no translation', 200, myMemory('x', { responseData: { translatedText: null } })],
    ['another shape', 200, { translated: 'ciao' }],
    ['a plain 429', 429, myMemoryRefusal('TOO MANY REQUESTS', 429)],
  ])('failing by %s is a 502 and no translation', async (_, status, body) => {
    stub.route('/get', answer(body, status));
    const failed = await ask({ text: 'hello', from: 'en', to: 'it' });
    expect(failed).toMatchObject({
      status: 502,
      body: { success: false, message: 'the translation service gave no answer' },
    });
    expect(stub.requests).toHaveLength(1);
  });

  it.each([
    ['words of its own', JSON.stringify(myMemoryRefusal('TOO MANY REQUESTS', 429)), '90', '90'],
    ['HTML', '<h1>Too many</h1>', '90', '90'],
    ['its quota', JSON.stringify(myMemoryRefusal('MYMEMORY WARNING: YOU USED ALL', 429)), undefined, '900'],
    ['a year to wait', '{}', '31536000', '900'],
  ])('rests after a 429 in %s, and says how long', async (_, body, retryAfter, told) => {
    stub.route('/get', answer(body, 429, retryAfter === undefined ? {} : { 'retry-after': retryAfter }));
    expect(await ask({ text: 'hello', to: 'it' })).toMatchObject({
      status: 502,
      headers: { 'retry-after': told },
    });
    expect(logged.lines.join()).not.toContain('invalid');
    const { status, headers } = await ask({ text: 'something else', to: 'it' });
    expect(status).toBe(502);
    expect(Number(headers['retry-after'])).toBeGreaterThan(Number(told) - 5);
    expect(stub.requests).toHaveLength(1);
  });

  it.each(['auto', 'AUTO', 'Auto'])('detects the language for from=%s', async (from) => {
    expect(await ask({ text: 'hello', from, to: 'it' })).toMatchObject({ status: 200 });
    expect(langpairs()).toEqual(['autodetect|it']);
  });

  it('has HTML entities read, unless the text holds some itself', async () => {
    stub.route('/get', answer(myMemory('L&#39;h&#xF4;tel &quot;A&amp;B&quot; &#0; &nope;')));
    expect((await ask({ text: 'The hotel', to: 'fr' })).body.translated).toBe('L\'hôtel "A&B" &#0; &nope;');
    stub.route('/get', answer(myMemory('écrivez &amp;')));
    expect((await ask({ text: 'write &amp;', to: 'fr' })).body.translated).toBe('écrivez &amp;');
  });

  it('keeps translations for 30 days, but no failures', async () => {
    const query = { text: 'hello', from: 'en', to: 'it' };
    await ask(query);
    time.pass(30 * 24 * 3600 - 1);
    await ask(query);
    await ask({ ...query, text: 'hello ' });
    expect(stub.requests).toHaveLength(2);
    time.pass(2);
    stub.route('/get', answer('', 400));
    expect((await ask(query)).status).toBe(502);
    stub.route('/get', answer(myMemory('ciao')));
    expect((await ask(query)).status).toBe(200);
  });

  it('never has a text in its log', async () => {
    stub.route('/get', answer(myMemory('x', { responseStatus: 500 })));
    await ask({ text: 'top secret', from: 'en', to: 'it' });
    expect(logged.lines.join()).toContain('500 inside');
    expect(logged.lines.join()).not.toMatch(/secret|example\.org/);
  });

  describe('a text by POST', () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${api.url}/translate/text`, { method: 'POST', headers: { 'content-type': type }, body });

    it('is translated like one in a query, and not to be kept by caches', async () => {
      const response = await post(JSON.stringify({ text: 'Hello, you!', from: 'en', to: 'it', else: 1 }));
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      const { body } = await ask({ text: 'Hello, you!', from: 'en', to: 'it' });
      expect(await response.json()).toEqual(body);
      expect(stub.requests).toHaveLength(1);
    });

    it('may have 5,000 characters, however they are written', async () => {
      const text = '😀'.repeat(5_000);
      const escaped = `{"text":"${'\\ud83d\\ude00'.repeat(5_000)}","to":"it"}`;
      const response = await post(escaped);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ original: text });
      expect((await post(JSON.stringify({ text: `${text}!`, to: 'it' }))).status).toBe(400);
    });

    it.each([
      ['a list', '[]', 400],
      ['nothing', '', 400, 'text'],
      ['what is no JSON', '{"text":', 400],
      ['no text', '{"to":"it"}', 400, 'text'],
      ['a number for a text', '{"text":1,"to":"it"}', 400, 'text'],
      ['NUL', '{"text":"a\\u0000","to":"it"}', 400, 'text'],
      ['no such language', '{"text":"a","to":"zz"}', 400, 'to'],
      ['a body of 100 KB', JSON.stringify({ text: 'x'.repeat(100_000), to: 'it' }), 413],
    ])('is refused for %s', async (_, sent, status, parameter?: string) => {
      const response = await post(sent);
      expect(response.status).toBe(status);
      const body = (await response.json()) as { errors?: { parameter: string }[] };
      expect(body).toMatchObject({ success: false, status });
      expect(body.errors?.[0]?.parameter).toBe(parameter);
      expect(stub.requests).toEqual([]);
    });

    it('is refused in another form than JSON', async () => {
      expect((await post('text=Hello&to=it', 'application/x-www-form-urlencoded')).status).toBe(400);
    });
  });

  describe('a long text', () => {
    // No two alike: pieces that are equal are sent once.
    const sentences = (count: number) =>
      Array.from(
        { length: count },
        (_, n) => `The quick fox no. ${n} jumps over the lazy dog by the river.  `,
      );
    const long = `\n  ${sentences(40).join('')}\n\n${sentences(60).slice(40).join('')}\t`;

    it('keeps the pieces that are finished where one fails', async () => {
      let fails = true;
      stub.route('/get', ({ query }, response) => {
        const piece = query.get('q') ?? '';
        if (fails && piece.includes('the last')) response.writeHead(400).end();
        else response.end(JSON.stringify(myMemory(piece.toUpperCase())));
      });
      const text = `${sentences(30).join('')}This is the last sentence of them.`;
      expect((await ask({ text, from: 'en', to: 'it' })).status).toBe(502);
      const first = stub.requests.length;
      fails = false;
      expect((await ask({ text, from: 'en', to: 'it' })).body.translated).toBe(text.toUpperCase());
      expect(first).toBeGreaterThan(2);
      expect(stub.requests).toHaveLength(first + 1);
    });

    it('goes in pieces and comes back whole, white space and all', async () => {
      const { body } = await ask({ text: long, from: 'en', to: 'it' });
      expect(body.original).toBe(long);
      expect(body.translated).toBe(long.toUpperCase());
      expect(stub.requests.length).toBeGreaterThan(5);
      for (const piece of pieces()) {
        expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(480);
        expect(piece.endsWith('.')).toBe(true);
      }
    });

    it('of 5,000 characters of several bytes fits through', async () => {
      const text = '今日は天気がとても良いです。'.repeat(358).slice(0, 5_000);
      const { status, body } = await ask({ text, from: 'ja', to: 'en' });
      expect([status, body.translated]).toEqual([200, text]);
      expect(pieces().join('')).not.toBe('');
    });

    it('has its language detected once', async () => {
      stub.route('/get', ({ query }, response) => {
        const text = query.get('q') ?? '';
        const data = { translatedText: text, detectedLanguage: 'en' };
        response.end(JSON.stringify(myMemory(text, { responseData: data })));
      });
      const { body } = await ask({ text: long, to: 'it' });
      expect(body.from).toBe('en');
      expect(langpairs().filter((pair) => pair === 'autodetect|it')).toHaveLength(1);
      expect(new Set(langpairs().slice(1))).toEqual(new Set(['en|it']));
    });

    it('fails as a whole when a piece fails', async () => {
      let asked = 0;
      stub.route('/get', (_, response) => {
        const body = ++asked === 4 ? myMemoryRefusal('MYMEMORY WARNING: QUOTA') : myMemory('ok');
        response.end(JSON.stringify(body));
      });
      const { status, body } = await ask({ text: long, from: 'en', to: 'it' });
      expect(status).toBe(502);
      expect(JSON.stringify(body)).not.toContain('ok');
    });
  });
});

describe('LibreTranslate', () => {
  beforeEach(async () => {
    await start({ LIBRETRANSLATE_URL: `${stub.url}/translate/`, LIBRETRANSLATE_API_KEY: 'open-sesame' });
    stub.route('POST /translate', ({ body }, response) => {
      const { q, source } = JSON.parse(body);
      const detectedLanguage = { confidence: 92.0, language: 'de' };
      const translatedText = q.toUpperCase();
      response.end(
        JSON.stringify(source === 'auto' ? { translatedText, detectedLanguage } : { translatedText }),
      );
    });
  });

  it('is asked where its URL is set', async () => {
    const { body } = await ask({ text: 'guten tag', from: 'de', to: 'pt-BR' });
    expect(body).toEqual({
      success: true,
      from: 'de',
      to: 'pt-BR',
      original: 'guten tag',
      translated: 'GUTEN TAG',
      engine: 'libretranslate',
    });
    expect(JSON.parse(stub.requests[0]?.body ?? '')).toEqual({
      q: 'guten tag',
      source: 'de',
      target: 'pb',
      format: 'text',
      api_key: 'open-sesame',
    });
  });

  it.each([
    [92.5, 'de', 'de'],
    [90, 'zt', 'zh-TW'],
    [90, 'zh-Hans', 'zh-CN'],
    [90, 'pb', 'pt-BR'],
    [0, 'en', 'und'],
  ])('detects with confidence %d %s: %s', async (confidence, language, from) => {
    stub.route('/translate', answer({ translatedText: 'x', detectedLanguage: { confidence, language } }));
    stub.route(
      'POST /translate',
      answer({ translatedText: 'x', detectedLanguage: { confidence, language } }),
    );
    expect((await ask({ text: 'abc', to: 'fr' })).body.from).toBe(from);
  });

  it.each([
    ['zh-CN', 'zh'],
    ['zh-TW', 'zt'],
    ['es-MX', 'es'],
    ['no', 'nb'],
    ['tl', 'tl'],
  ])('is asked for %s as %s', async (to, target) => {
    await ask({ text: 'abc', from: 'de', to });
    expect(JSON.parse(stub.requests[0]?.body ?? '').target).toBe(target);
  });

  it('knows English in one form only', async () => {
    expect((await ask({ text: 'abc', from: 'en-US', to: 'en-GB' })).body.engine).toBe('none');
  });

  it.each([
    ['from', 'sw is not supported'],
    ['to', 'tlh is not supported'],
    ['to', 'Klingon (tlh) is not available as a target language from Swahili (sw)'],
  ])('refuses a language it does not know: %s', async (parameter, error) => {
    stub.route('POST /translate', answer({ error }, 400));
    const { status, body } = await ask({ text: 'abc', from: 'sw', to: 'tlh' });
    expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
  });

  it.each([
    [400, { error: 'Visit https://portal.libretranslate.com to get an API key' }],
    [400, { error: 'Invalid request: request (2413) exceeds text limit (2000)' }],
    [403, { error: 'Invalid API key' }],
    [429, { error: 'Slowdown: 80 per 1 minute' }],
    [200, { translatedText: '' }],
    [200, { error: 'x' }],
  ])('failing by %i %j is a 502', async (status, body) => {
    stub.route('POST /translate', answer(body, status));
    expect((await ask({ text: 'abc', from: 'de', to: 'fr' })).status).toBe(502);
    expect(logged.lines.join()).not.toContain('open-sesame');
  });
});
