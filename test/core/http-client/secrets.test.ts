import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HttpClientError } from '../../../core/http-client/http-client-error.js';
import { maskUrl, secretsOf } from '../../../core/http-client/secrets.js';
import { processorMs } from '../../support/processor-time.js';

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
])('the URL %s is shown as %s', (url, shown) => expect(maskUrl(url)).toBe(shown));

it('a URL that is made to be slow takes no longer', () => {
  const started = processorMs();
  maskUrl(`https://a.example/?${'keyuserpass%5B'.repeat(2_000)}`);
  expect(processorMs() - started).toBeLessThan(200);
});

const SECRET = 'p@ss wörd&%1';
const ENCODED = encodeURIComponent(SECRET);
const ENCODINGS = [
  ['as it is', SECRET],
  ['percent-encoded', ENCODED],
  ['percent-encoded in lower case', ENCODED.toLowerCase()],
  ['percent-encoded twice', encodeURIComponent(ENCODED)],
  ['as a form', new URLSearchParams({ x: SECRET }).toString().slice(2)],
  ['with the at sign left', ENCODED.replace('%40', '@')],
] as const;
const AT = { method: 'GET', url: 'https://a.example/' } as const;
const FORM = new URLSearchParams({ from: '1', pass: SECRET }).toString();

it.each([
  ['its query', { ...AT, url: `${AT.url}?user=${ENCODED}&from=1` }],
  ['its form', { ...AT, method: 'POST', body: FORM }],
  ['its login', { ...AT, url: `https://me:${ENCODED}@a.example/` }],
  ['a header', { ...AT, headers: { 'x-api-key': SECRET } }],
  ['a bearer token', { ...AT, headers: { authorization: `Bearer ${SECRET}` } }],
] as const)('an error about a request with a secret in %s never holds it, however encoded', (_, request) => {
  for (const [how, encoded] of ENCODINGS) {
    const error = new HttpClientError('redirect', request, `a redirect to /denied/${encoded}/home?x=1`);
    expect(error.detail, how).toBe('a redirect to /denied/***/home?x=1');
    expect(error.message + JSON.stringify(error), how).not.toContain(encoded);
  }
});

it.each([
  ['ends with a percent sign', '?pass=100%25', '/100%25/100%/100%2525', '/***/***/***'],
  ['begins like another one', '?user=bank&pass=bank2026', '/bank/bank2026', '/***/***'],
])('an error holds nothing of a secret that %s', (_, query, place, masked) => {
  const error = new HttpClientError('redirect', { ...AT, url: AT.url + query }, `a redirect to ${place}`);
  expect(error.detail).toBe(`a redirect to ${masked}`);
});

it('an error never holds a secret of its query, whatever that is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3, unit: 'grapheme' }), (secret) => {
      const request = { ...AT, url: `${AT.url}?${new URLSearchParams({ api_key: secret }).toString()}` };
      fc.pre(secretsOf(request).length === 1 && !/[*<>]/.test(secret));
      const error = new HttpClientError('status', request, `<${secret}> <${encodeURIComponent(secret)}>`);
      expect(error.detail).toBe('<***> <***>');
    }),
  );
});
