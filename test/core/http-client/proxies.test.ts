import { expect, it } from 'vitest';
import { proxyFor } from '../../../core/http-client/proxies.js';
import { ConfigurationError, readConfig } from '../../../core/process/config.js';

const HTTP_PROXY = 'http://plain.example:3128';
const HTTPS_PROXY = 'https://user:p%40ss@secure.example';
const proxyOf = (url: string, NO_PROXY = '') =>
  proxyFor(new URL(url), readConfig({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }))?.host;

it('the proxy of an origin is that of its scheme, and this machine needs none', () => {
  expect(proxyOf('http://bank.example/x')).toBe('plain.example:3128');
  expect(proxyOf('https://bank.example/x')).toBe('secure.example');
  for (const local of ['localhost:80', 'a.localhost', '127.0.0.1', '127.9.9.9:81', '[::1]:82'])
    expect(proxyOf(`http://${local}/`), local).toBeUndefined();
  expect(proxyFor(new URL('https://bank.example'), readConfig({ HTTP_PROXY }))).toBeUndefined();
});

it.each([
  ['https://bank.example', 'other.example, bank.example'],
  ['https://bank.example', 'BANK.example'],
  ['https://www.bank.example', 'bank.example'],
  ['https://www.bank.example', '.bank.example'],
  ['https://www.bank.example', '*.bank.example'],
  ['https://bank.example', 'bank.example:443'],
  ['http://bank.example:8080', 'bank.example:8080'],
  ['http://10.1.2.3', '10.0.0.0/8'],
  ['http://10.1.2.3:90', '10.1.2.3'],
  ['http://[fd00::5]', 'fd00::/8'],
  ['http://[fd00::5]', 'fd00::5'],
  ['http://[fd00::5]:81', '[fd00::5]:81'],
  ['https://bank.example', '*'],
])('%s is reached directly by NO_PROXY=%s', (url, list) => expect(proxyOf(url, list)).toBeUndefined());

it.each([
  ['https://bank.example', 'bank.example:80'],
  ['https://mybank.example', 'bank.example'],
  ['https://bank.example', 'www.bank.example'],
  ['http://11.1.2.3', '10.0.0.0/8'],
  ['http://bank.example', '10.0.0.0/8'],
  ['https://bank.example', ','],
])('%s is not by NO_PROXY=%s', (url, list) => expect(proxyOf(url, list)).toBeDefined());

it.each(['10.0.0.0/99', '10.0.0.0/', '10.0.0/8', 'fd00::/129', 'bank.example/8'])(
  'a NO_PROXY with %s, which is no network, is refused',
  (entry) =>
    expect(() => proxyOf('http://bank.example', `a.example,${entry}`)).toThrow(
      `NO_PROXY: ${entry} is not a network such as 10.0.0.0/8`,
    ),
);

it('names in lower case count too, and first; a scheme may be missing, but not another one', () => {
  const both = readConfig({ https_proxy: 'lower.example:3128', HTTPS_PROXY, no_proxy: 'x.example' });
  expect(both).toMatchObject({ HTTPS_PROXY: 'http://lower.example:3128', NO_PROXY: 'x.example' });
  expect(readConfig({ https_proxy: '', HTTPS_PROXY })).toMatchObject({ HTTPS_PROXY });
  const read = () => readConfig({ HTTP_PROXY: 'socks5://me:hidden@proxy.example' });
  expect(read).toThrow(ConfigurationError);
  expect(read).toThrow(/^(?!.*hidden).*HTTP_PROXY: must be http:/);
});
