import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { openPublicationFiles } from '../../core/publication/publication-files.js';
import { verifyPublication } from '../../core/publication/verify-publication.js';
import { runHookOnce } from '../../worker/publish/publish.js';
import { blocksIn } from '../docs/support.js';
import { httpStub } from '../support/http-stub.js';
import { KEY, publishRates, type Rates } from '../support/signed-publication.js';

const UPLOAD = join(projectFolder, 'ops/publish/upload');
/** Where rclone is; empty if it is not installed. */
const rclone = spawnSync('sh', ['-c', 'command -v rclone']).stdout.toString().trim();
const NOW = '2026-03-17T16:00:00.000Z';
const RATES: Rates = { '2025-12-31': { EUR: 0.86, JPY: 156.5 }, '2026-01-02': { EUR: 0.87, JPY: 157 } };

/** Where nothing else is, the folder in it that is published into, and what is in that. */
let home: string;
let folder: string;
let files: Map<string, Buffer>;

/** Publishes as the record after `size` others, and as version 4711 the first one. Writes `files` into the folder anew. */
async function publish(rates: Rates, size: number): Promise<void> {
  await publishRates(files, rates, { version: 4711 + size, size, now: NOW });
  await rm(folder, { recursive: true, force: true });
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

/** Uploads the folder by rclone, which has these variables besides where programs are. */
async function upload(
  to: string,
  variables?: NodeJS.ProcessEnv,
): Promise<{ status: number; stderr: string }> {
  // A configuration of the machine, and variables that are meant for other programs, can make rclone fail.
  const env = { PATH: process.env.PATH, HOME: home, RCLONE_CONFIG: '/dev/null', ...variables };
  const child = spawn(UPLOAD, [to], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [[status], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  return { status, stderr };
}

/** The version of a publication in which nothing is wrong. Throws a PublicationError for another one. */
async function verify(location: string): Promise<number> {
  const at = openPublicationFiles(location);
  const verifying = verifyPublication(at, { keys: [KEY.verifier], now: new Date(NOW) });
  return (await verifying.finally(() => at.close())).record.version;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'almanac-upload-'));
});
afterAll(() => rm(home, { recursive: true }));

const inOrder = { shuffle: false, timeout: 120_000 };

describe.runIf(rclone !== '')('an upload with rclone to a folder', inOrder, () => {
  let remote: string;
  /** The remote folder after each call of rclone. */
  let steps: string;
  /** The arguments of each call. */
  let calledWith: string;
  beforeAll(async () => {
    [folder, files] = [join(home, 'rates'), new Map()];
    [remote, steps, calledWith] = [join(home, 'remote'), join(home, 'steps'), join(home, 'arguments')];
    await Promise.all(['remote', 'bin', 'arguments'].map((name) => mkdir(join(home, name))));
    const watching = `#!/bin/sh
'${rclone}' "$@" || exit
step=$(printf '%03d' $(ls '${steps}' | wc -l))
cp -R '${remote}' '${home}/copy' && printf '%s\\n' "$@" >"${calledWith}/$step" && mv '${home}/copy' "${steps}/$step"
`;
    await writeFile(join(home, 'bin/rclone'), watching, { mode: 0o755 });
  });

  it('brings all files of the first publication', async () => {
    await publish(RATES, 0);
    expect(await upload(remote)).toMatchObject({ status: 0 });
    expect(await verify(remote)).toBe(4711);
  });

  it('never shows a reader a part of the next one', async () => {
    await mkdir(steps);
    const corrected = { EUR: 0.871, JPY: 157 };
    await publish({ ...RATES, '2026-01-02': corrected, '2026-01-05': { EUR: 0.8725 } }, 1);
    const PATH = `${join(home, 'bin')}:${process.env.PATH}`;
    expect(await upload(remote, { PATH })).toMatchObject({ status: 0 });
    const versions: number[] = [];
    for (const step of (await readdir(steps)).sort()) versions.push(await verify(join(steps, step)));
    // The checkpoint is replaced by one call, the copies before and after it are of either.
    expect(versions).toEqual([...new Array(7).fill(4711), ...new Array(versions.length - 7).fill(4712)]);
    expect(await readdir(remote)).not.toContain('checkpoint.next');
  });

  it('has the checkpoint last, and changes no file that never changes', async () => {
    const calls: string[][] = [];
    for (const step of (await readdir(steps)).sort()) {
      calls.push((await readFile(join(calledWith, step), 'utf8')).trimEnd().split('\n'));
    }
    const called = calls.map(([kind, ...more]) => {
      const paths = more.find((one) => one.startsWith('/') && !one.startsWith(home));
      return `${kind} ${paths ?? more.at(-1)?.replace(remote, '')}`;
    });
    const tables = '/{blended,observations,revisions}/**';
    expect(called.join(', ')).toBe(
      `copyto /checkpoint.next, copy /log/*, copy /manifests/**, copy ${tables}, copy /day/*, copy /*.json, ` +
        'copyto /keys.txt, copyto /checkpoint, delete /{checkpoint.next,*.tlog-proof}, ' +
        `sync /day/*, sync ${tables}, sync /manifests/**, sync /{log,tile}/**`,
    );
    for (const call of calls) {
      const neverChanges = call.some((one) => /^\/(\{blended|manifests)/.test(one));
      expect(call.includes('--immutable')).toBe(neverChanges);
      if (call[0] !== 'delete') expect(call).toContain('--checksum');
    }
  });

  it('deletes what is no longer published', async () => {
    const [path = ''] = [...files.keys()].filter((one) => one.startsWith('blended/2026'));
    const named = JSON.parse(files.get('manifest.json')?.toString() ?? '{}').files as { path: string }[];
    expect(named.map((one) => one.path)).not.toContain(path);
    files.delete(path);
    await rm(join(folder, path));
    expect(await upload(remote)).toMatchObject({ status: 0 });
    expect((await readdir(join(remote, 'blended'))).map((name) => `blended/${name}`)).not.toContain(path);
    expect(await verify(remote)).toBe(4712);
  });

  it('refuses to change a file that never changes, and leaves the old publication', async () => {
    const [path = ''] = [...files.keys()].filter((one) => one.startsWith('manifests/'));
    await writeFile(join(folder, path), '{}');
    const { status, stderr } = await upload(remote);
    expect(status).not.toBe(0);
    expect(stderr).toContain('immutable');
    expect(await verify(remote)).toBe(4712);
    await writeFile(join(folder, path), files.get(path) ?? '');
  });

  it('deletes nothing for a folder without a publication', async () => {
    const empty = join(home, 'empty');
    await mkdir(empty);
    expect(spawnSync(UPLOAD, [remote], { cwd: empty }).status).not.toBe(0);
    expect(await verify(remote)).toBe(4712);
  });

  it('runs as PUBLISH_HOOK, while others verify what a server has of it', async () => {
    // As an object store does, it has the files of before until a call has replaced them.
    const server = await httpStub({
      '*': async ({ path }, response) => {
        const newest = (await readdir(steps)).sort().at(-1) ?? '';
        const bytes = await readFile(join(steps, newest, path)).catch(() => undefined);
        response.writeHead(bytes ? 200 : 404).end(bytes);
      },
    });
    try {
      await publish({ ...RATES, '2026-01-06': { EUR: 0.874, JPY: 158 } }, 2);
      let isDone = false;
      const command = `PATH='${join(home, 'bin')}':"$PATH" RCLONE_CONFIG=/dev/null '${UPLOAD}' '${remote}'`;
      const hook = { folder, size: 3, log: pino({ level: 'silent' }) };
      const uploading = runHookOnce(command, hook).finally(() => {
        isDone = true;
      });
      while (!isDone) expect([4712, 4713]).toContain(await verify(server.url));
      await uploading;
      expect(await verify(server.url)).toBe(4713);
    } finally {
      await server.close();
    }
  });
});

const HOUR = 'public, max-age=3600, stale-while-revalidate=60, stale-if-error=86400';
const MINUTE = 'public, max-age=60, stale-while-revalidate=60, stale-if-error=86400';
const FOREVER = 'public, max-age=31536000, immutable';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain; charset=utf-8';

/** How long each kind of file may be kept, and its type: what the document promises. */
const KINDS: readonly [path: RegExp, cacheControl: string, type: string][] = [
  [/^(blended|observations|revisions)\/.*\.parquet$/, FOREVER, 'application/vnd.apache.parquet'],
  [/^manifests\/\w+\.json$/, FOREVER, JSON_TYPE],
  [/^log\/\d+\.ndjson$/, 'no-cache', 'application/x-ndjson'],
  [/^day\/[\d-]+\.json$/, HOUR, JSON_TYPE],
  [/^\w+\.json$/, MINUTE, JSON_TYPE],
  [/^(checkpoint|keys\.txt)$/, MINUTE, TEXT],
];

describe.runIf(rclone !== '')('an upload with rclone to S3', inOrder, () => {
  let server: Server;
  /** Where the server answers. */
  let endpoint: string;
  /** The paths of files that were written to the bucket, in order. */
  let written: string[] = [];
  beforeAll(async () => {
    [folder, files] = [join(home, 'rates-for-s3'), new Map()];
    const directory = join(home, 's3');
    const s3 = new S3rver({ directory, configureBuckets: [{ name: 'rates', configs: [] }], silent: true });
    await s3.configureBuckets();
    const respond = s3.callback();
    server = createServer((request, response) => {
      const [, path] = /^\/rates\/([^?]+)/.exec(request.url ?? '') ?? [];
      if (request.method === 'PUT' && path) written.push(decodeURIComponent(path));
      respond(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => once(server.close(), 'close'));
  beforeEach(() => {
    written = [];
  });

  /** Uploads with the environment that the document has, but to the server of the test, and by its keys. */
  function uploadThere() {
    const block = blocksIn('docs/publication.md').find(({ code }) => code.startsWith('RCLONE_CONFIG_'));
    const keys = { ACCESS_KEY_ID: 'S3RVER', SECRET_ACCESS_KEY: 'S3RVER' };
    const here: Record<string, string> = { ENDPOINT: endpoint, ...keys };
    const lines = [...(block?.code ?? '').matchAll(/^(RCLONE_CONFIG_STORE_(\w+))=(.*)$/gm)];
    const variables = lines.map(([, name, option = '', value]) => [name, here[option] ?? value]);
    const [, to = ''] = /^PUBLISH_HOOK='.*\/upload (.*)'$/m.exec(block?.code ?? '') ?? [];
    // The server does not list folders that have nothing but folders: all files are listed together.
    return upload(to, { ...Object.fromEntries(variables), RCLONE_FAST_LIST: 'true' });
  }

  it('brings all files of the first publication', async () => {
    await publish(RATES, 0);
    expect(await uploadThere()).toMatchObject({ status: 0 });
    expect(await verify(`${endpoint}/rates`)).toBe(4711);
  });

  it('sends of the next one only what is new', async () => {
    const before = new Map(files);
    await publish({ ...RATES, '2026-01-05': { EUR: 0.8725 } }, 1);
    expect(await uploadThere()).toMatchObject({ status: 0 });
    expect(await verify(`${endpoint}/rates`)).toBe(4712);
    const changed = [...files].filter(([path, bytes]) => !before.get(path)?.equals(bytes));
    expect(written.toSorted()).toEqual([...changed.map(([path]) => path), 'checkpoint.next'].toSorted());
    expect(written.at(-1)).toBe('checkpoint');
    expect((await fetch(`${endpoint}/rates/checkpoint.next`)).status).toBe(404);
  });

  it('says of each file how long it may be kept, and its type', async () => {
    const promised = [...files.keys()].map((path) => [
      path,
      ...(KINDS.find(([kind]) => kind.test(path)) ?? []),
    ]);
    const responses = promised.map(async ([path, kind]) => {
      const { headers } = await fetch(`${endpoint}/rates/${path}`, { method: 'HEAD' });
      return [path, kind, headers.get('cache-control'), headers.get('content-type')];
    });
    expect(await Promise.all(responses)).toEqual(promised);
    expect(new Set(promised.map(([, kind]) => kind))).toEqual(new Set(KINDS.map(([kind]) => kind)));
  });
});
