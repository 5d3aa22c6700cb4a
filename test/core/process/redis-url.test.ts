import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { parseRedisUrl } from '../../../core/process/redis-url.js';

const SENTINELS = [
  { host: 'one', port: 26380 },
  { host: 'two', port: 26379 },
  { host: '::1', port: 1 },
];
const WITH_TLS = { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true };

it.each([
  ['redis://cache', { host: 'cache', port: 6379, db: 0, family: 0, prefix: 'almanac' }],
  [
    'rediss://me:a%2Fb%40c@[::1]:7000/3?family=6&prefix={almanac}',
    {
      ...{ host: '::1', port: 7000, db: 3, family: 6, prefix: '{almanac}' },
      username: 'me',
      password: 'a/b@c',
      tls: {},
    },
  ],
  [
    'redis://:100%sure@cache',
    { host: 'cache', port: 6379, db: 0, family: 0, prefix: 'almanac', password: '100%sure' },
  ],
])('reads the address of one server: %s', (url, place) => expect(parseRedisUrl(url)).toEqual(place));

it.each([
  [
    'redis+sentinel://me:a%2Fb@one:26380,two,[::1]:1/my-master/2',
    { sentinels: SENTINELS, name: 'my-master', db: 2, username: 'me', password: 'a/b' },
  ],
  [
    'rediss+sentinel://one/main?sentinelUsername=watch&sentinelPassword=1%2B1',
    { name: 'main', db: 0, sentinelUsername: 'watch', sentinelPassword: '1+1', ...WITH_TLS },
  ],
])('reads the addresses of Sentinels: %s', (url, place) => expect(parseRedisUrl(url)).toMatchObject(place));

it.each([
  ['another scheme', 'cache:6379', 'http://cache'],
  ['no host or no number', 'redis://', 'redis://cache/one'],
  ['several hosts', 'redis://one,two', 'redis://one:1,two:2/main'],
  ['no master', 'redis+sentinel://one', 'redis+sentinel://one/'],
  ['no Sentinel', 'redis+sentinel://one,/main', 'redis+sentinel://one:port/main'],
  ['something more', 'redis+sentinel://one/main/two'],
])('with %s it is no URL of Redis, which the configuration says', (_, ...texts) => {
  expect(parseRedisUrl('')).toBeUndefined();
  for (const text of texts) {
    expect(parseRedisUrl(text)).toBeUndefined();
    expect(() => readConfig({ REDIS_URL: text })).toThrow('REDIS_URL: must be redis://');
  }
});

it('never throws, and reads back any password', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseRedisUrl(`redis://${text}`)));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
      const login = `:${encodeURIComponent(password)}@`;
      for (const url of [`redis://${login}cache`, `redis+sentinel://${login}one,two/main`])
        expect(parseRedisUrl(url)?.password).toBe(password);
    }),
  );
});

it('a prefix has no colon, space or star, and braces around something', () => {
  const prefixIn = (text: string) => parseRedisUrl(`${text}?prefix=x{y}`)?.prefix;
  expect(['redis://cache/2', 'redis+sentinel://one,two/main'].map(prefixIn)).toEqual(['x{y}', 'x{y}']);
  expect(parseRedisUrl('redis://cache?prefix=')?.prefix).toBe('almanac');
  for (const prefix of ['a:b', '{', '{}', '{a}{b}', 'a b', '*'])
    expect(parseRedisUrl(`redis://cache?prefix=${prefix}`)).toBeUndefined();
});
