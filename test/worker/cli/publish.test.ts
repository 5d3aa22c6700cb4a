import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSigningKey, parseSigningKey, parseSigningKeys } from '../../../core/publication/keys.js';
import { ownFolder } from '../../core/support.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { sharedDatabase } from '../../support/shared.js';
import { cli, done, failed } from './support.js';

const ORIGIN = 'rates.example.org/almanac';
const KEY = makeSigningKey(ORIGIN, new Uint8Array(32).fill(7));

/** The data folder, in which `rates` is published into. */
const inFolder = ownFolder();

describe('publish', async () => {
  const database = await databaseWith(someRates('2026-03-16'));
  beforeEach(() => database.pool.query('delete from publications'));
  afterAll(() => database.close());

  const publish = (more: Record<string, string> = {}) => {
    const variables = { DATABASE_URL: database.url, PUBLISH_KEY: KEY.text, DATA_DIR: inFolder(), ...more };
    return cli(['publish', inFolder('rates')], { variables, now: '2026-11-25T10:00:00.000Z' });
  };

  it('prints the version and the key to be believed, or why it does not publish', async () => {
    const { code, stdout, stderr } = await publish();
    expect({ code, stderr }).toEqual({ code: 0, stderr: done('published: wrote \\d+ files') });
    const [line, key] = stdout.split('\n');
    expect(line).toMatch(
      /^published: version \d+, record 1, valid until 2026-11-27T10:00:00.000Z, \d+ files, \d+ bytes$/,
    );
    expect(key).toBe(KEY.verifier.text);
    const again = await publish();
    expect(again.stdout).toMatch(/^nothing new: version \d+, record 1, /);
    expect(again.stderr).toEqual(done('nothing new to publish: checked'));
    await rm(inFolder('rates'), { recursive: true });
    const lost =
      `almanac: ${inFolder('rates')} does not have the 1 records that were signed as ${ORIGIN}: publish into the folder ` +
      'that has them, or give --resume with the URL or the folder of a copy\n';
    expect(await publish()).toEqual({ code: 1, stdout: '', stderr: lost });
  });

  it('makes a key of its own where there is none, for the owner alone', async () => {
    const first = await publish({ PUBLISH_KEY: '' });
    expect(first.stdout).toMatch(/\nlocal\/[0-9a-f]{8}\+[0-9a-f]{8}\+[\w+/=]+\n$/);
    expect((await stat(inFolder('publish.key'))).mode & 0o777).toBe(0o600);
    expect((await publish({ PUBLISH_KEY: '' })).stdout.split('\n')[1]).toBe(first.stdout.split('\n')[1]);
  });

  it('runs the hook in the folder after each publication, and again where it failed', async () => {
    const failing = 'echo ran >> ../hook.txt && test -e ../allowed || exit 3';
    const hooks = [failing, failing, 'echo done >> ../hook.txt', 'echo never >> ../hook.txt'];
    for (const hook of hooks) expect(await publish({ PUBLISH_HOOK: hook })).toMatchObject({ code: 0 });
    expect(await readFile(inFolder('hook.txt'), 'utf8')).toBe('ran\nran\ndone\n');
  });

  it.each([
    [{ PUBLISH_OMIT: 'ECB,NONE' }, 78, 'almanac: PUBLISH_OMIT: there is no provider NONE'],
    [
      { PUBLISH_KEY: 'secret' },
      78,
      'almanac: PUBLISH_KEY: key: a private key is PRIVATE+KEY+<origin>+<id>+<seed>, as `keys make` prints it',
    ],
    [{ DATABASE_URL: (await sharedDatabase([])).url }, 0, 'there are no rates to publish: checked'],
  ])('prints one line with %o', async (variables, code, message) => {
    const stderr = code === 0 ? done(message) : `${message}\n`;
    expect(await publish(variables)).toEqual({ code, stdout: '', stderr });
  });
});

describe('keys make', () => {
  it('makes another key each time, the private one first', async () => {
    const { code, stdout, stderr } = await cli(['keys', 'make', ORIGIN]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [privateKey = '', publicKey = '', ...rest] = stdout.split('\n');
    expect(publicKey).toMatch(/^rates\.example\.org\/almanac\+[0-9a-f]{8}\+/);
    expect([publicKey, ...rest]).toEqual([parseSigningKey(privateKey).verifier.text, '']);
    expect((await cli(['keys', 'make', ORIGIN])).stdout).not.toBe(stdout);
  });

  it.each(['', 'with space', 'a+b'])('makes none for the origin %j', async (origin) => {
    const refused = await cli(['keys', 'make', origin]);
    expect(refused).toEqual(failed(2, 'an origin is a name without spaces or "+"'));
  });
});

describe('keys rotate', () => {
  const rotate = (variables = {}) =>
    cli(['keys', 'rotate'], { variables: { DATA_DIR: inFolder(), ...variables } });

  it('prints a new value of PUBLISH_KEY, in which the old key and a new one sign', async () => {
    const [older, old] = [makeSigningKey(ORIGIN), makeSigningKey(ORIGIN)];
    const { code, stdout } = await rotate({ PUBLISH_KEY: `${older.text},${old.text}` });
    const [value = '', ...publicKeys] = stdout.trimEnd().split('\n');
    const keys = parseSigningKeys(value);
    expect(code).toBe(0);
    expect(keys.map(({ origin }) => origin)).toEqual([ORIGIN, ORIGIN]);
    expect(keys[0]?.text).toBe(old.text);
    expect([older.id, old.id]).not.toContain(keys[1]?.id);
    expect(publicKeys).toEqual(keys.map(({ verifier }) => verifier.text));
  });

  it('writes both into the key file of DATA_DIR, which only its owner may read', async () => {
    const old = makeSigningKey('local/0123abcd');
    const path = inFolder('publish.key');
    await writeFile(path, `${old.text}\n`);
    await chmod(path, 0o644);
    const { code, stdout, stderr } = await rotate();
    const keys = parseSigningKeys(await readFile(path, 'utf8'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${path} has both private keys\n` });
    expect(keys.map(({ text }) => text)).toEqual([old.text, expect.stringContaining('local/0123abcd')]);
    expect(stdout).toBe(keys.map(({ verifier }) => `${verifier.text}\n`).join(''));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['there is no key', {}, 'no key to rotate'],
    ['PUBLISH_KEY is none', { PUBLISH_KEY: 'secret-words' }, 'a private key is PRIVATE+KEY+'],
  ])('fails in one line where %s, and shows no secret', async (_, variables, message) => {
    const refused = await rotate(variables);
    expect(refused).toEqual(failed(1, /^almanac: [^\n]*\n$/));
    expect(refused.stderr).toContain(message);
    expect(refused.stderr).not.toContain('secret-words');
  });
});
