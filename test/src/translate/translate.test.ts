import { beforeEach, describe, expect, it } from 'vitest';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { answer } from '../../support/http-stub.js';
import { myMemory, myMemoryRefusal } from '../utilities/payloads.js';
import { columns, relayOf } from '../utilities/support.js';

const relay = relayOf(translateRoutes);

const ask = (query: Record<string, string>) => relay.get(`/translate/text?${new URLSearchParams(query)}`);
const langpairs = () => relay.stub.requests.map(({ query }) => query.get('langpair'));
const pieces = () => relay.stub.requests.map(({ query }) => query.get('q') ?? '');

describe('MyMemory', () => {
  beforeEach(async () => {
    await relay.restart({ MYMEMORY_EMAIL: 'me@example.org' });
    relay.stub.route('/get', ({ query }, response) => {
      response.end(JSON.stringify(myMemory((query.get('q') ?? '').toUpperCase())));
    });
  });

  it('answers every field in order', async () => {
    const { status, headers, body } = await ask({ text: 'Hello, you!', from: 'en', to: 'it' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('private, max-age=2592000');
    expect(columns(body)).toEqual([
      'success,from,to,original,translated,engine',
      '[true,"en","it","Hello, you!","HELLO, YOU!","mymemory"]',
    ]);
    const query = Object.fromEntries(relay.stub.requests[0]?.query ?? []);
    expect(query).toEqual({ q: 'Hello, you!', langpair: 'en|it', de: 'me@example.org' });
  });

  it.each([
    ['what it detected', 'it', {}, 'it'],
    ['the source of its match', undefined, {}, 'en'],
    ['`und` for an unknown language', undefined, { matches: [] }, 'und'],
    ['Chinese in our spelling', 'zh-TW', {}, 'zh-TW'],
  ])('answers in `from`, when there was none, %s', async (_, detectedLanguage, more, from) => {
    const responseData = { translatedText: 'x', detectedLanguage };
    relay.stub.route('/get', answer(myMemory('x', { responseData, ...more })));
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
    ['auto', 'it', 'autodetect|it', 'it'],
    ['AUTO', 'it', 'autodetect|it', 'it'],
    ['Auto', 'it', 'autodetect|it', 'it'],
  ])('%s to %s is asked as %s', async (from, to, langpair, answered) => {
    const { body } = await ask({ text: 'abc', from, to });
    expect(langpairs()).toEqual([langpair]);
    expect(body.to).toBe(answered);
  });

  it.each(['en en', 'EN en', 'pt-BR pt_br', 'zh zh-CN', 'zh-Hans zh-SG', 'nb no'])(
    '%s is answered without a request to the upstream',
    async (pair) => {
      const [from = '', to = ''] = pair.split(' ');
      const { status, body } = await ask({ text: ' as it is ', from, to });
      expect([status, body.translated, body.engine]).toEqual([200, ' as it is ', 'none']);
      expect(relay.stub.requests).toEqual([]);
    },
  );

  it('finds the text to be in the language wanted already', async () => {
    relay.stub.route('/get', answer(myMemoryRefusal('PLEASE SELECT TWO DISTINCT LANGUAGES')));
    expect((await ask({ text: 'ciao', to: 'it' })).body).toMatchObject({ from: 'it', translated: 'ciao' });
  });

  it('tries a language without its region before refusing it', async () => {
    const refusal = myMemoryRefusal("'ES-MX' IS AN INVALID TARGET LANGUAGE .");
    relay.stub.route('/get', ({ query }, response) => {
      response.end(JSON.stringify(query.get('langpair') === 'en|es' ? myMemory('hola') : refusal));
    });
    const { body } = await ask({ text: 'hello', from: 'en', to: 'es-MX' });
    expect(body).toMatchObject({ to: 'es-MX', translated: 'hola' });
  });

  it.each([
    ['to', "'XX' IS AN INVALID TARGET LANGUAGE . EXAMPLE: LANGPAIR=EN|IT"],
    ['from', "'XX' IS AN INVALID SOURCE LANGUAGE . EXAMPLE: LANGPAIR=EN|IT"],
  ])('refuses a language it does not know: %s', async (parameter, text) => {
    relay.stub.route('/get', answer(myMemoryRefusal(text)));
    const { status, body } = await ask({ text: 'hello', from: 'en', to: 'tlh' });
    expect([status, body.errors[0].parameter]).toEqual([400, parameter]);
    expect(JSON.stringify(body)).not.toContain('INVALID');
  });

  it.each([
    ['its quota inside a 200', 200, myMemoryRefusal('MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE', 200)],
    ['its quota as a 429', 429, myMemoryRefusal('MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE', 429)],
    ['quotaFinished', 200, myMemory('ciao', { quotaFinished: true })],
    ['a 403 inside a 200', 200, myMemoryRefusal('INVALID EMAIL PROVIDED')],
    ['a refusal that calls itself a 200', 200, myMemory('QUERY LENGTH LIMIT EXCEEDED. MAX: 500 CHARS')],
    ['an empty translation', 200, myMemory('')],
    ['no translation', 200, myMemory('x', { responseData: { translatedText: null } })],
    ['another shape', 200, { translated: 'ciao' }],
    ['a plain 429', 429, myMemoryRefusal('TOO MANY REQUESTS', 429)],
  ])('failing by %s is a 502 and no translation', async (_, status, body) => {
    relay.stub.route('/get', answer(body, status));
    const failed = await ask({ text: 'hello', from: 'en', to: 'it' });
    const message = 'the translation service gave no answer';
    expect(failed).toMatchObject({ status: 502, body: { success: false, message } });
    expect(relay.stub.requests).toHaveLength(1);
  });

  it.each([
    ['MYMEMORY WARNING: hello', 'MYMEMORY WARNING: CIAO'],
    ['AUTH key', 'AUTH TASTO'],
    ['auth', 'auth e chiave'],
    ['es a', "dice: 'A' is an invalid source language"],
  ])('translates %s, which resembles a message', async (text, translated) => {
    relay.stub.route('/get', answer(myMemory(translated)));
    expect((await ask({ text, from: 'en', to: 'it' })).body).toMatchObject({ success: true, translated });
  });

  it.each([
    ['words of its own', myMemoryRefusal('TOO MANY REQUESTS', 429), '90', '90'],
    ['HTML', '<h1>Too many</h1>', '90', '90'],
    ['its quota', myMemoryRefusal('MYMEMORY WARNING: YOU USED ALL', 429), '', '900'],
    ['a year to wait', {}, '31536000', '900'],
  ])('rests after a 429 in %s, and says how long', async (_, body, retryAfter, seconds) => {
    relay.stub.route('/get', answer(body, 429, retryAfter ? { 'retry-after': retryAfter } : {}));
    const refused = await ask({ text: 'hello', to: 'it' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([502, seconds]);
    expect(relay.logged()).not.toContain('invalid');
    const { status, headers } = await ask({ text: 'something else', to: 'it' });
    expect([status, Number(headers['retry-after']) > Number(seconds) - 5]).toEqual([502, true]);
    expect(relay.stub.requests).toHaveLength(1);
  });

  it('has HTML entities read, unless the text holds some itself', async () => {
    relay.stub.route('/get', answer(myMemory('L&#39;h&#xF4;tel &quot;A&amp;B&quot; &#0; &nope;')));
    expect((await ask({ text: 'The hotel', to: 'fr' })).body.translated).toBe('L\'hôtel "A&B" &#0; &nope;');
    relay.stub.route('/get', answer(myMemory('écrivez &amp;')));
    expect((await ask({ text: 'write &amp;', to: 'fr' })).body.translated).toBe('écrivez &amp;');
  });

  it('keeps translations for 30 days, but no failures', async () => {
    const query = { text: 'hello', from: 'en', to: 'it' };
    await ask(query);
    relay.time.pass(30 * 24 * 3600 - 1);
    await ask(query);
    await ask({ ...query, text: 'hello ' });
    expect(relay.stub.requests).toHaveLength(2);
    relay.time.pass(2);
    relay.stub.route('/get', answer('', 400));
    expect((await ask(query)).status).toBe(502);
    relay.stub.route('/get', answer(myMemory('ciao')));
    expect((await ask(query)).status).toBe(200);
  });

  it.each([
    ['a word', 'Gift'],
    ['a text in pieces', 'Die Glocke ist ein Gift in hellem Blau. '.repeat(14)],
  ])('keeps %s for its own pair of languages', async (_, text) => {
    relay.stub.route('/get', ({ query }, response) => {
      response.end(JSON.stringify(myMemory(`${query.get('langpair')}.`)));
    });
    const pairs = ['auto|fr', 'en|it', 'de|it', 'de|fr'].map((pair) => pair.split('|'));
    const translations = async () => {
      const all: string[] = [];
      for (const [from = '', to = ''] of pairs) all.push((await ask({ text, from, to })).body.translated);
      return all;
    };
    const first = await translations();
    for (const [at, [from = '', to]] of pairs.entries())
      expect(first[at]).toContain(`${from.replace('auto', 'autodetect')}|${to}`);
    const asked = relay.stub.requests.length;
    expect(await translations()).toEqual(first);
    expect(relay.stub.requests).toHaveLength(asked);
  });

  it('never has a text in its log', async () => {
    relay.stub.route('/get', answer(myMemory('x', { responseStatus: 500 })));
    await ask({ text: 'top secret', from: 'en', to: 'it' });
    expect(relay.logged()).toContain('500 inside');
    expect(relay.logged()).not.toMatch(/secret|example\.org/);
  });

  describe('a text by POST', () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${relay.url}/translate/text`, { method: 'POST', headers: { 'content-type': type }, body });

    it('is translated like one in a query, and not to be kept by caches', async () => {
      const response = await post(JSON.stringify({ text: 'Hello, you!', from: 'en', to: 'it', else: 1 }));
      expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(await response.json()).toEqual((await ask({ text: 'Hello, you!', from: 'en', to: 'it' })).body);
      expect(relay.stub.requests).toHaveLength(1);
    });

    it('may have 5,000 characters, however they are written', async () => {
      const text = '😀'.repeat(5_000);
      const response = await post(`{"text":"${'\\ud83d\\ude00'.repeat(5_000)}","to":"it"}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ original: text });
      expect((await post(JSON.stringify({ text: `${text}!`, to: 'it' }))).status).toBe(400);
    });

    it.each([
      ['a list', '[]', 400, 'body'],
      ['nothing', '', 400, 'text'],
      ['what is no JSON', '{"text":', 400],
      ['no text', '{"to":"it"}', 400, 'text'],
      ['a number for a text', '{"text":1,"to":"it"}', 400, 'text'],
      ['an object for a text', '{"text":{"toString":1},"to":"it"}', 400, 'text'],
      ['an object for a language', '{"text":"a","to":"it","from":{"toString":1}}', 400, 'from'],
      ['NUL', '{"text":"a\\u0000","to":"it"}', 400, 'text'],
      ['no such language', '{"text":"a","to":"zz"}', 400, 'to'],
      ['a body of 100 KB', JSON.stringify({ text: 'x'.repeat(100_000), to: 'it' }), 413],
      ['a form', 'text=Hello&to=it', 400, 'body', 'application/x-www-form-urlencoded'],
    ])('is refused for %s', async (_, sent, status, parameter?: string, type?: string) => {
      const body = (await (await post(sent, type)).json()) as { errors?: { parameter: string }[] };
      expect(body).toMatchObject({ success: false, status });
      expect(body.errors?.[0]?.parameter).toBe(parameter);
      expect(relay.stub.requests).toEqual([]);
    });
  });

  describe('a long text', () => {
    // No two alike: pieces that are equal are sent once.
    const sentences = Array.from({ length: 60 }, (_, n) => `The quick fox no. ${n} jumps over the dog.  `);
    const long = `\n  ${sentences.slice(0, 40).join('')}\n\n${sentences.slice(40).join('')}\t`;

    it('keeps the pieces that are finished where one fails', async () => {
      let fails = true;
      relay.stub.route('/get', ({ query }, response) => {
        const piece = query.get('q') ?? '';
        if (fails && piece.includes('the last')) response.writeHead(400).end();
        else response.end(JSON.stringify(myMemory(piece.toUpperCase())));
      });
      const text = `${sentences.slice(0, 30).join('')}This is the last sentence of them.`;
      const { status, body } = await ask({ text, from: 'en', to: 'it' });
      expect([status, body.translated]).toEqual([502, undefined]);
      const first = relay.stub.requests.length;
      fails = false;
      expect((await ask({ text, from: 'en', to: 'it' })).body.translated).toBe(text.toUpperCase());
      expect(first).toBeGreaterThan(2);
      expect(relay.stub.requests).toHaveLength(first + 1);
    });

    it('goes in pieces and comes back whole, white space and all', async () => {
      const { body } = await ask({ text: long, from: 'en', to: 'it' });
      expect(body.original).toBe(long);
      expect(body.translated).toBe(long.toUpperCase());
      expect(relay.stub.requests.length).toBeGreaterThan(5);
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
      relay.stub.route('/get', ({ query }, response) => {
        const text = query.get('q') ?? '';
        const data = { translatedText: text, detectedLanguage: 'en' };
        response.end(JSON.stringify(myMemory(text, { responseData: data })));
      });
      expect((await ask({ text: long, to: 'it' })).body.from).toBe('en');
      expect(langpairs().filter((pair) => pair === 'autodetect|it')).toHaveLength(1);
      expect(new Set(langpairs().slice(1))).toEqual(new Set(['en|it']));
    });
  });
});

describe('LibreTranslate', () => {
  beforeEach(async () => {
    const LIBRETRANSLATE_URL = `${relay.stub.url}/translate/`;
    await relay.restart({ LIBRETRANSLATE_URL, LIBRETRANSLATE_API_KEY: 'open-sesame' });
    relay.stub.route('POST /translate', ({ body }, response) => {
      response.end(JSON.stringify({ translatedText: JSON.parse(body).q.toUpperCase() }));
    });
  });

  it('is asked where its URL is set', async () => {
    const { body } = await ask({ text: 'guten tag', from: 'de', to: 'pt-BR' });
    expect(columns(body)[1]).toBe('[true,"de","pt-BR","guten tag","GUTEN TAG","libretranslate"]');
    const sent = { q: 'guten tag', source: 'de', target: 'pb', format: 'text', api_key: 'open-sesame' };
    expect(JSON.parse(relay.stub.requests[0]?.body ?? '')).toEqual(sent);
  });

  it.each([
    [92.5, 'de', 'de'],
    [90, 'zt', 'zh-TW'],
    [90, 'zh-Hans', 'zh-CN'],
    [90, 'pb', 'pt-BR'],
    [0, 'en', 'und'],
  ])('detects with confidence %d %s: %s', async (confidence, language, from) => {
    const detectedLanguage = { confidence, language };
    relay.stub.route('POST /translate', answer({ translatedText: 'x', detectedLanguage }));
    expect((await ask({ text: 'abc', to: 'fr' })).body.from).toBe(from);
  });

  it.each(['zh-CN zh', 'zh-TW zt', 'es-MX es', 'no nb', 'tl tl'])(
    'is asked for another code: %s',
    async (codes) => {
      const [to = '', target] = codes.split(' ');
      await ask({ text: 'abc', from: 'de', to });
      expect(JSON.parse(relay.stub.requests[0]?.body ?? '').target).toBe(target);
    },
  );

  it('knows English in one form only', async () => {
    expect((await ask({ text: 'abc', from: 'en-US', to: 'en-GB' })).body.engine).toBe('none');
  });

  it.each([
    ['from', 'sw is not supported'],
    ['to', 'tlh is not supported'],
    ['to', 'Klingon (tlh) is not available as a target language from Swahili (sw)'],
  ])('refuses a language it does not know: %s', async (parameter, error) => {
    relay.stub.route('POST /translate', answer({ error }, 400));
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
    relay.stub.route('POST /translate', answer(body, status));
    expect((await ask({ text: 'abc', from: 'de', to: 'fr' })).status).toBe(502);
    expect(relay.logged()).not.toContain('open-sesame');
  });
});
