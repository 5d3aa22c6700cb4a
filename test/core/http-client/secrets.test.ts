import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { maskUrl, secretsOf } from '../../../core/http-client/secrets.js';
import { processorMs } from '../../support/processor-time.js';

const SECRET = 'p@ss wörd&%1';

describe('a URL', () => {
  it.each([
    ['https://a.example/?user=me&pass=hush&from=1', 'https://a.example/?user=***&pass=***&from=1'],
    ['https://a.example/?api_key=k#top', 'https://a.example/?api_key=***#top'],
    ['https://a.example/#access_token=abc&state=1', 'https://a.example/#access_token=***&state=1'],
    ['https://me:hush@a.example/x', 'https://a.example/x'],
    ['https://me:p@ss@a.example/x?mail=a@b', 'https://a.example/x?mail=a@b'],
    ['/login?next=%2Fx%3Fuser%3Dme%26from%3D1', '/login?next=%2Fx%3Fuser%3D***%26from%3D1'],
    ['/login?next=%2Fx%3Fpass%3Da%2526b%26from%3D1', '/login?next=%2Fx%3Fpass%3D***%26from%3D1'],
    ['/login?next=%252Fx%253Fuser%253Dme%2526y%253D1', '/login?next=%252Fx%253Fuser%253D***%2526y%253D1'],
    ['/login?next=https%3A%2F%2Fme:hush@a.example%2F', '/login?next=https%3A%2F%2Fa.example%2F'],
    ['https://a.example/rates?from=1&to=2', 'https://a.example/rates?from=1&to=2'],
  ])('%s is shown as %s', (url, shown) => {
    expect(maskUrl(url)).toBe(shown);
  });

  it('takes no longer for a text that is made to be slow', () => {
    const started = processorMs();
    maskUrl(`https://a.example/?${'keyuserpass%5B'.repeat(2_000)}`);
    expect(processorMs() - started).toBeLessThan(200);
  });
});

describe('the message of an error', () => {
  const encodings = {
    'as it is': SECRET,
    'percent-encoded': encodeURIComponent(SECRET),
    'percent-encoded in lower case': encodeURIComponent(SECRET).toLowerCase(),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(SECRET)),
    'as a form': new URLSearchParams({ x: SECRET }).toString().slice(2),
    'with the at sign left': encodeURIComponent(SECRET).replace('%40', '@'),
  };
  const requests = {
    'its query': { method: 'GET', url: `https://a.example/?user=${encodeURIComponent(SECRET)}&from=1` },
    'its form': {
      method: 'POST',
      url: 'https://a.example/',
      body: new URLSearchParams({ from: '1', pass: SECRET }).toString(),
    },
    'its login': { method: 'GET', url: `https://me:${encodeURIComponent(SECRET)}@a.example/` },
    'a header': { method: 'GET', url: 'https://a.example/', headers: { 'x-api-key': SECRET } },
    'a bearer token': {
      method: 'GET',
      url: 'https://a.example/',
      headers: { authorization: `Bearer ${SECRET}` },
    },
  } as const;

  describe.each(Object.entries(requests))('about a request with a secret in %s', (_, request) => {
    it.each(Object.entries(encodings))('does not hold it %s', (__, encoded) => {
      const error = new HttpClientError('redirect', request, `a redirect to /denied/${encoded}/home?x=1`);
      expect(error.detail).toBe('a redirect to /denied/***/home?x=1');
      expect(error.message).not.toContain(encoded);
      expect(JSON.stringify(error)).not.toContain(encoded);
    });
  });

  it('holds nothing of a secret that ends with a percent sign', () => {
    const request = { method: 'GET', url: 'https://a.example/?pass=100%25' } as const;
    const error = new HttpClientError('redirect', request, 'a redirect to /100%25/100%/100%2525');
    expect(error.detail).toBe('a redirect to /***/***/***');
  });

  it('masks the longer of two secrets that begin alike', () => {
    const request = { method: 'GET', url: 'https://a.example/?user=bank&pass=bank2026' } as const;
    const error = new HttpClientError('redirect', request, 'a redirect to /bank/bank2026');
    expect(error.detail).toBe('a redirect to /***/***');
  });

  it('never holds a secret of its query, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3, unit: 'grapheme' }), (secret) => {
        const query = new URLSearchParams({ api_key: secret }).toString();
        const request = { method: 'GET', url: `https://a.example/?${query}` } as const;
        const detail = `<${secret}> <${encodeURIComponent(secret)}>`;
        fc.pre(secretsOf(request).length === 1 && !/[*<>]/.test(secret));
        const error = new HttpClientError('status', request, detail);
        expect(error.detail).toBe('<***> <***>');
      }),
    );
  });
});
