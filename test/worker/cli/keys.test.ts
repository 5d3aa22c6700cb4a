import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSigningKey, parseSigningKey, parseSigningKeys } from '../../../core/publication/keys.js';
import { cli } from './support.js';

const ORIGIN = 'rates.example.org/almanac';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('makes another key each time, the private one first', async () => {
  const [one, other] = [await cli(['keys', 'make', ORIGIN]), await cli(['keys', 'make', ORIGIN])];
  expect({ ...one, stdout: '' }).toEqual({ code: 0, stdout: '', stderr: '' });
  const [privateKey = '', publicKey, ...rest] = one.stdout.split('\n');
  expect(parseSigningKey(privateKey).verifier.text).toBe(publicKey);
  expect(publicKey).toMatch(/^rates\.example\.org\/almanac\+[0-9a-f]{8}\+/);
  expect(rest).toEqual(['']);
  expect(other.stdout).not.toBe(one.stdout);
});

it.each(['', 'with space', 'a+b'])('makes none for the origin %j', async (origin) => {
  const { code, stdout, stderr } = await cli(['keys', 'make', origin]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('an origin is a name without spaces and "+"');
});

it('rotates PUBLISH_KEY: prints its new value, in which the old key and a new one sign', async () => {
  const [older, old] = [makeSigningKey(ORIGIN), makeSigningKey(ORIGIN)];
  const { code, stdout } = await cli(['keys', 'rotate'], {
    variables: { PUBLISH_KEY: `${older.text},${old.text}`, DATA_DIR: folder },
  });
  const [value = '', ...publicKeys] = stdout.trimEnd().split('\n');
  const keys = parseSigningKeys(value);
  expect(code).toBe(0);
  expect(keys.map(({ origin }) => origin)).toEqual([ORIGIN, ORIGIN]);
  expect(keys[0]?.text).toBe(old.text);
  expect([older.id, old.id]).not.toContain(keys[1]?.id);
  expect(publicKeys).toEqual(keys.map(({ verifier }) => verifier.text));
});

it('rotates the key file of DATA_DIR, which only its owner may read', async () => {
  const old = makeSigningKey('local/0123abcd');
  const path = join(folder, 'publish.key');
  await writeFile(path, `${old.text}\n`);
  await chmod(path, 0o644);
  const { code, stdout, stderr } = await cli(['keys', 'rotate'], { variables: { DATA_DIR: folder } });
  const keys = parseSigningKeys(await readFile(path, 'utf8'));
  expect({ code, stderr }).toEqual({ code: 0, stderr: `${path} has both private keys\n` });
  expect(keys.map(({ text }) => text)).toEqual([old.text, expect.stringContaining('local/0123abcd')]);
  expect(stdout).toBe(keys.map(({ verifier }) => `${verifier.text}\n`).join(''));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it.each([
  ['there is no key', {}, 'no key to exchange'],
  ['PUBLISH_KEY is none', { PUBLISH_KEY: 'secret-words' }, 'a private key is PRIVATE+KEY+'],
])('says in one line that %s, and shows no secret', async (_, variables, message) => {
  const { code, stdout, stderr } = await cli(['keys', 'rotate'], {
    variables: { DATA_DIR: folder, ...variables },
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^almanac: [^\n]*\n$/);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret-words');
});
