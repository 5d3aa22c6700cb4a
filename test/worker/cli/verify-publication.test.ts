import { mkdir, mkdtemp, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { KEY, publishRates } from '../../support/signed-publication.js';
import { cli, done, failed, ownFolder } from './support.js';

const PINNED = ['--key', KEY.verifier.text];
const BY = `signed by ${KEY.origin}+${KEY.id}`;
const DAY = 'day/2026-03-16.json';

// A publication of one data version, and the same after a second one.
const files = new Map<string, Buffer>();
const first = { version: 4711, size: 0, now: '2026-03-17T16:00:00.000Z' };
await publishRates(files, { '2026-03-16': { EUR: 0.92 } }, first);
const before = new Map(files);
const rates = { '2026-03-16': { EUR: 0.92, JPY: 149 }, '2026-03-17': { EUR: 0.91 } };
await publishRates(files, rates, { version: 4712, size: 1, now: '2026-03-17T16:01:00.000Z' });

const folder = await ownFolder();

const verify = (location: string, options = PINNED, now = '2026-03-17T17:00:00Z') =>
  cli(['verify', location, ...options], { now });

async function write(content: ReadonlyMap<string, Buffer>): Promise<string> {
  const location = await mkdtemp(join(folder, 'publication-'));
  for (const [path, bytes] of content) {
    await mkdir(dirname(join(location, path)), { recursive: true });
    await writeFile(join(location, path), bytes);
  }
  return location;
}

describe('in a folder', () => {
  it('prints what was verified, and whose key it is', async () => {
    const location = await write(files);
    const line = `OK: version 4712 of 2026-03-17T16:01:00.000Z, 5 rates, log 2, ${BY}`;
    expect(await verify(location)).toEqual({
      ...{ code: 0, stdout: `${line}\n`, stderr: done(`verified ${location}`) },
    });
    expect((await verify(location, ['--quick', ...PINNED])).stdout).toBe(`${line}\n`);
    expect((await verify(location, [])).stdout).toBe(`${line} (key not pinned)\n`);
  });

  it('remembers the log in a file, and detects that it was shortened', async () => {
    const state = join(folder, 'state');
    const since = async (content: ReadonlyMap<string, Buffer>) =>
      verify(await write(content), [...PINNED, '--state', state]);
    expect((await since(before)).stdout).toContain(', 2 rates, log 1, ');
    expect((await since(files)).stdout).toContain(', 5 rates, log 1 → 2, ');
    expect(await readFile(state, 'utf8')).toBe(String(files.get('checkpoint')));
    const stderr = 'almanac: rolled-back: the log has 1 records, and had 2 before: a rollback\n';
    expect(await since(before)).toEqual({ code: 1, stdout: '', stderr });
    // It is written after success alone.
    expect(await readFile(state, 'utf8')).toBe(String(files.get('checkpoint')));
    await writeFile(state, 'hello');
    expect((await since(files)).stderr).toContain(`: ${state}: `);
  });

  it('prints the first thing that is wrong; --quick does not read days', async () => {
    const location = await write(files);
    await writeFile(join(location, DAY), String(files.get(DAY)).replace('149', '150'));
    const stderr = `almanac: day: ${DAY}: has another content than was signed\n`;
    expect(await verify(location)).toEqual({ code: 1, stdout: '', stderr });
    expect((await verify(location, ['--quick'])).code).toBe(0);
  });

  it('reads all that is in the folder, but not what is in no file', async () => {
    const location = await write(files);
    await mkdir(join(location, 'day/2030-01-01.json'));
    expect((await verify(location)).code).toBe(0);
    const added = async (path: string, target: string) => {
      await symlink(target, join(location, path));
      const { stderr } = await verify(location);
      await unlink(join(location, path));
      return stderr;
    };
    for (const path of ['day/2030-01-02.json', 'days', '.days', 'day/days'])
      for (const target of [join(location, DAY), join(location, 'day'), 'none']) {
        expect(await added(path, target)).toBe(`almanac: unnamed: ${path}: nothing signed refers to it\n`);
      }
    for (const path of ['.next/day/2030-01-01.json', '.partial/0']) {
      await mkdir(dirname(join(location, path)), { recursive: true });
      await writeFile(join(location, path), 'unfinished');
    }
    expect((await verify(location)).code).toBe(0);
  });

  const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 9)).verifier.text;
  it.each<[string, string, string[], string, string?]>([
    ['another key', '', ['--key', other], 'signature: checkpoint: the note is not signed by '],
    ['what is too old', '', [], 'expired: checkpoint', '2026-03-20T00:00:00Z'],
    ['a key that is none', '', ['--key', 'hello'], 'a public key is <origin>+<id>+<key>'],
    ['a private key, which is not shown', '', ['--key', KEY.text], 'a public key is <origin>+<id>+<key>'],
    ['a folder without one', 'day', PINNED, 'missing: checkpoint: is not there\n'],
    ['what is not there', 'none', PINNED, 'ENOENT: no such file or directory'],
    ['options for one with a file', DAY, PINNED, '--key, --state and --quick are for a publication'],
  ])('refuses %s', async (_what, name, options, message, now?) => {
    const refused = await verify(join(await write(files), name), options, now);
    expect(refused).toEqual(failed(1, message));
    expect(refused.stderr).toMatch(/^almanac: /);
    expect(refused.stderr).not.toContain(KEY.text.slice(-20));
  });
});
