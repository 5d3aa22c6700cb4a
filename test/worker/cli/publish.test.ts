import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { cli } from './support.js';

const KEY = makeSigningKey('rates.example.org/almanac', new Uint8Array(32).fill(7));
const NOW = '2026-11-25T10:00:00.000Z';

let database: TestDatabase;
let above: string;
let folder: string;
beforeEach(async () => {
  above = await mkdtemp(join(tmpdir(), 'almanac-cli-publish-'));
  folder = join(above, 'rates');
  database = await databaseWith(someRates('2026-03-16'));
});
afterEach(async () => {
  await database.close();
  await rm(above, { recursive: true });
});

const run = (words: string[], variables: Record<string, string> = {}, url = database.url) =>
  cli(words, {
    variables: { DATABASE_URL: url, PUBLISH_KEY: KEY.text, DATA_DIR: above, ...variables },
    now: NOW,
  });

it('publishes, and tells the version and the key to be believed', async () => {
  const { code, stdout, stderr } = await run(['publish', folder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    new RegExp(
      `^published: version \\d+, record 1, valid until 2026-11-27T10:00:00.000Z, \\d+ files, \\d+ bytes\n${KEY.verifier.text.replaceAll('+', '\\+')}\n$`,
    ),
  );
  expect((await run(['publish', folder])).stdout).toMatch(/^nothing new: version \d+, record 1, /);
});

it('makes a key of its own where there is none, for the owner alone', async () => {
  const first = await run(['publish', folder], { PUBLISH_KEY: '' });
  expect(first.stdout).toMatch(/\nlocal\/[0-9a-f]{8}\+[0-9a-f]{8}\+[\w+/=]+\n$/);
  expect((await stat(join(above, 'publish.key'))).mode & 0o777).toBe(0o600);
  const again = await run(['publish', folder], { PUBLISH_KEY: '' });
  expect(again.stdout.split('\n')[1]).toBe(first.stdout.split('\n')[1]);
});

it('runs the hook in the folder after each publication, and again where it failed', async () => {
  const hook = { PUBLISH_HOOK: 'echo ran >> ../hook.txt && test -e ../allowed || exit 3' };
  expect(await run(['publish', folder], hook)).toMatchObject({ code: 0 });
  await run(['publish', folder], hook);
  await run(['publish', folder], { PUBLISH_HOOK: 'echo done >> ../hook.txt' });
  await run(['publish', folder], { PUBLISH_HOOK: 'echo never >> ../hook.txt' });
  expect(await readFile(join(above, 'hook.txt'), 'utf8')).toBe('ran\nran\ndone\n');
});

it('refuses a folder that has lost what was signed, in one line', async () => {
  await run(['publish', folder]);
  await rm(folder, { recursive: true });
  expect(await run(['publish', folder])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `almanac: ${folder} does not have the 1 records that were signed as ${KEY.origin}: publish into the folder ` +
      'that has them, or give --resume with the URL or the folder of a copy\n',
  });
});

it.each([
  [{ PUBLISH_OMIT: 'ECB,NONE' }, 'PUBLISH_OMIT: there is no provider NONE'],
  [
    { PUBLISH_KEY: 'secret' },
    'PUBLISH_KEY: key: a private key is PRIVATE+KEY+<origin>+<id>+<seed>, as `keys make` prints it',
  ],
])('refuses %o', async (variables, message) => {
  expect(await run(['publish', folder], variables)).toEqual({
    code: 78,
    stdout: '',
    stderr: `almanac: ${message}\n`,
  });
});

it('says where there are no rates', async () => {
  const empty = await testDatabase();
  try {
    const { code, stderr } = await run(['publish', folder], {}, empty.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'there are no rates to publish\n' });
  } finally {
    await empty.close();
  }
});
