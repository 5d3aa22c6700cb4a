import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { type HttpStub, httpStub } from '../../support/http-stub.js';
import { KEY, publishRates, type Rates } from '../../support/signed-publication.js';
import { cli } from './support.js';

const RATES: Rates = { '2026-03-16': { EUR: 0.92, JPY: 149 }, '2026-03-17': { EUR: 0.91 } };
const BY = `signed by ${KEY.origin}+${KEY.id}`;
const DAY = 'day/2026-03-16.json';

/** A publication of one data version, and the same after a second one. */
async function twoStates() {
  const files = new Map<string, Buffer>();
  const first = { version: 4711, size: 0, now: '2026-03-17T16:00:00.000Z' };
  await publishRates(files, { '2026-03-16': { EUR: 0.92 } }, first);
  const before = new Map(files);
  await publishRates(files, RATES, { version: 4712, size: 1, now: '2026-03-17T16:01:00.000Z' });
  return { before, files };
}

const { before, files } = await twoStates();

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-verify-'));
});
afterEach(() => rm(folder, { recursive: true }));

const verify = (
  location: string,
  options: string[] = ['--key', KEY.verifier.text],
  now = '2026-03-17T17:00:00Z',
) => cli(['verify-publication', location, ...options], { now });

async function write(content: ReadonlyMap<string, Buffer>): Promise<string> {
  const location = join(folder, 'publication');
  await rm(location, { recursive: true, force: true });
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
    expect(await verify(location)).toEqual({ code: 0, stdout: `${line}\n`, stderr: '' });
    expect((await verify(location, ['--quick', '--key', KEY.verifier.text])).stdout).toBe(`${line}\n`);
    expect((await verify(location, [])).stdout).toBe(`${line} (key not pinned)\n`);
  });

  it('remembers the log in a file, and tells when it was shortened', async () => {
    const state = join(folder, 'state');
    const options = ['--key', KEY.verifier.text, '--state', state];
    expect((await verify(await write(before), options)).stdout).toContain(', 2 rates, log 1, ');
    expect((await verify(await write(files), options)).stdout).toContain(', 5 rates, log 1 → 2, ');
    expect(await readFile(state, 'utf8')).toBe(String(files.get('checkpoint')));
    expect(await verify(await write(before), options)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'almanac: rolled-back: the log has 1 records, and had 2 before: a rollback\n',
    });
    // It is written after success alone.
    expect(await readFile(state, 'utf8')).toBe(String(files.get('checkpoint')));
    await writeFile(state, 'hello');
    expect((await verify(await write(files), options)).stderr).toContain(`${state} holds no checkpoint`);
  });

  it('says the first thing that is wrong; --quick does not read days', async () => {
    const location = await write(files);
    await writeFile(join(location, DAY), String(files.get(DAY)).replace('149', '150'));
    expect(await verify(location)).toEqual({
      code: 1,
      stdout: '',
      stderr: `almanac: day: ${DAY}: has another content than was signed\n`,
    });
    expect((await verify(location, ['--quick'])).code).toBe(0);
  });

  it('believes no other key, and nothing that is too old', async () => {
    const location = await write(files);
    const other = makeSigningKey(KEY.origin, Buffer.alloc(32, 9)).verifier.text;
    expect(await verify(location, ['--key', other])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^almanac: signature: latest\.tlog-proof: the note is not signed by /),
    });
    expect((await verify(location, ['--key', other, '--key', KEY.verifier.text])).code).toBe(0);
    expect((await verify(location, [], '2026-03-20T00:00:00Z')).stderr).toContain(
      'expired: latest.tlog-proof',
    );
  });

  it('takes no key that is none', async () => {
    const { code, stderr } = await verify(folder, ['--key', 'hello']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('a public key is <origin>+<id>+<key>'),
    });
    expect((await verify(folder, ['--key', KEY.text])).stderr).not.toContain(KEY.text.slice(-20));
  });

  it('names what is not there', async () => {
    expect(await verify(join(folder, 'none'))).toMatchObject({
      code: 1,
      stderr: 'almanac: missing: latest.tlog-proof: is not there\n',
    });
  });
});

describe('from a server', () => {
  let server: HttpStub;
  beforeEach(async () => {
    server = await httpStub();
    for (const [path, bytes] of files) {
      server.route(`/almanac/${path}`, (_, response) => {
        response.end(bytes);
      });
    }
  });
  afterEach(() => server.close());

  const paths = [...files.keys()].filter((path) => path.endsWith('.parquet') && path.startsWith('blended'));
  const data = paths.at(-1) ?? '';

  it('verifies all of it', async () => {
    expect((await verify(`${server.url}/almanac/`)).stdout).toMatch(/^OK: version 4712 /);
    expect(server.requests.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['latest.tlog-proof', data, DAY, 'keys.txt'].map((path) => `/almanac/${path}`)),
    );
  });

  it.each(['latest.tlog-proof', data, DAY, 'tile/0/000.p/2'])(
    'tells that %s is missing or longer',
    async (path) => {
      server.route(`/almanac/${path}`, (_, response) => {
        response.writeHead(404).end();
      });
      expect((await verify(`${server.url}/almanac`)).stderr).toBe(
        `almanac: missing: ${path}: is not there\n`,
      );
      const bytes = files.get(path) ?? Buffer.alloc(0);
      let sent = 0;
      server.route(`/almanac/${path}`, (_, response) => {
        const write = () => {
          if (response.destroyed) return;
          sent += 1_000;
          response.write(Buffer.alloc(1_000, 10), () => setImmediate(write));
        };
        response.write(bytes, write);
      });
      const { code, stderr } = await verify(`${server.url}/almanac`);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(new RegExp(`^almanac: size: ${path}: is longer than \\d+ bytes\n$`)),
      });
      expect(sent).toBeLessThan(10_000_000);
    },
  );
});
