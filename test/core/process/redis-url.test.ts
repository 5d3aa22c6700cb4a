import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../../core/process/config.js';
import { parseRedisUrl } from '../../../core/process/redis-url.js';

describe('parseRedisUrl', () => {
  test('reads the address of one server', () => {
    expect(parseRedisUrl('redis://cache')).toEqual({ host: 'cache', port: 6379, db: 0, family: 0 });
    expect(parseRedisUrl('rediss://me:a%2Fb%40c@[::1]:7000/3?family=6')).toEqual({
      host: '::1',
      port: 7000,
      db: 3,
      family: 6,
      username: 'me',
      password: 'a/b@c',
      tls: {},
    });
    expect(parseRedisUrl('redis://:100%sure@cache')).toMatchObject({ password: '100%sure' });
  });

  test('reads the addresses of Sentinels', () => {
    expect(parseRedisUrl('redis+sentinel://me:a%2Fb@one:26380,two,[::1]:1/my-master/2')).toMatchObject({
      sentinels: [
        { host: 'one', port: 26380 },
        { host: 'two', port: 26379 },
        { host: '::1', port: 1 },
      ],
      name: 'my-master',
      db: 2,
      username: 'me',
      password: 'a/b',
    });
    const own = 'rediss+sentinel://one/main?sentinelUsername=watch&sentinelPassword=1%2B1';
    expect(parseRedisUrl(own)).toMatchObject({
      name: 'main',
      db: 0,
      sentinelUsername: 'watch',
      sentinelPassword: '1+1',
      tls: {},
      sentinelTLS: {},
      enableTLSForSentinelMode: true,
    });
  });

  test.each([
    '',
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://cache/one',
    'redis://one,two',
    'redis://one:1,two:2/main',
    'redis+sentinel://one',
    'redis+sentinel://one/',
    'redis+sentinel://one,/main',
    'redis+sentinel://one:port/main',
    'redis+sentinel://one/main/two',
  ])('says that %j is none, and so does the configuration', (text) => {
    expect(parseRedisUrl(text)).toBeUndefined();
    if (text === '') return;
    for (const name of ['REDIS_URL', 'REDIS_CACHE_URL']) {
      expect(() => readConfig({ [name]: text })).toThrow(`${name}: must be redis://`);
    }
  });

  test('never throws, and reads back any password', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseRedisUrl(`redis://${text}`)));
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        const login = `:${encodeURIComponent(password)}@`;
        expect(parseRedisUrl(`redis://${login}cache`)?.password).toBe(password);
        expect(parseRedisUrl(`redis+sentinel://${login}one,two/main`)?.password).toBe(password);
      }),
    );
  });
});

test.each(['', 'a:b', '{', '{}', '{a}{b}', 'a b', '*'])('%j is no prefix', (prefix) => {
  const read = () => readConfig({ REDIS_PREFIX: prefix });
  if (prefix === '') expect(read().REDIS_PREFIX).toBe('almanac');
  else expect(read).toThrow('REDIS_PREFIX: must be');
});
