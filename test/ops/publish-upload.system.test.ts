import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHookOnce } from '../../worker/publish/run-hook.js';
import { httpStub } from '../support/http-stub.js';
import type { Rates } from '../support/signed-publication.js';
import { openPublishedFolder, type PublishedFolder, rclone, UPLOAD, verify } from './published-folder.js';

const RATES: Rates = { '2025-12-31': { EUR: 0.86, JPY: 156.5 }, '2026-01-02': { EUR: 0.87, JPY: 157 } };

let published: PublishedFolder;
let home: string;
let folder: string;
let files: Map<string, Buffer>;
let remote: string;
/** The remote folder after each call of rclone, and its arguments. */
let steps: string;
beforeAll(async () => {
  published = await openPublishedFolder();
  ({ home, folder, files } = published);
  [remote, steps] = [join(home, 'remote'), join(home, 'steps')];
  await Promise.all(['remote', 'bin'].map((name) => mkdir(join(home, name))));
  const watching = `#!/bin/sh
'${rclone}' "$@" || exit
step=$(printf '%s/%03d' '${steps}' $(ls '${steps}' | wc -l))
cp -R '${remote}' '${home}/copy' && printf '%s\\n' "$@" >'${home}/copy/.arguments' && mv '${home}/copy' "$step"
`;
  await writeFile(join(home, 'bin/rclone'), watching, { mode: 0o755 });
});
afterAll(() => published.close());

const upload = () => published.upload(remote);
const uploadWatched = () => published.upload(remote, { PATH: `${join(home, 'bin')}:${process.env.PATH}` });

describe.runIf(rclone !== '')('an upload with rclone', { shuffle: false, timeout: 120_000 }, () => {
  it('brings all files of the first publication', async () => {
    await published.publish(RATES, 0);
    expect(await upload()).toMatchObject({ status: 0 });
    expect(await verify(remote)).toBe(4711);
  });

  it('never shows a reader a part of the next one', async () => {
    await mkdir(steps);
    const corrected = { EUR: 0.871, JPY: 157 };
    await published.publish({ ...RATES, '2026-01-02': corrected, '2026-01-05': { EUR: 0.8725 } }, 1);
    expect(await uploadWatched()).toMatchObject({ status: 0 });
    const versions: number[] = [];
    for (const step of (await readdir(steps)).sort()) versions.push(await verify(join(steps, step)));
    // The pointer is replaced by one call, the copies before and after it are of either.
    expect(versions).toEqual([...new Array(8).fill(4711), ...new Array(versions.length - 8).fill(4712)]);
    expect(await readdir(remote)).not.toContain('next.tlog-proof');
  });

  it('has the pointer last, and says how long each file may be kept', async () => {
    const calls: string[][] = [];
    for (const step of (await readdir(steps)).sort()) {
      calls.push((await readFile(join(steps, step, '.arguments'), 'utf8')).trimEnd().split('\n'));
    }
    const called = calls.map(([kind, ...more]) => {
      const files = more.find((one) => one.startsWith('/') && !one.startsWith(home));
      return `${kind} ${files ?? more.at(-1)?.replace(remote, '')}`;
    });
    const tables = '/{blended,observations,revisions}/**';
    expect(called.join(', ')).toBe(
      `copy ${tables}, copy /manifests/**, copy /tile/**, copyto /next.tlog-proof, copy /day/*, copy /*.json, ` +
        'copyto /keys.txt, copyto /checkpoint, copyto /latest.tlog-proof, deletefile /next.tlog-proof, ' +
        `sync ${tables}, sync /manifests/**, sync /tile/**`,
    );
    for (const call of calls) {
      const neverChanges = call.some((one) => /^\/(\{blended|manifests|tile)/.test(one));
      expect(call.includes('--immutable')).toBe(neverChanges);
      expect(call.some((one) => one.endsWith(', immutable'))).toBe(neverChanges);
      if (call[0] !== 'deletefile') expect(call).toContain('--checksum');
    }
  });

  it('deletes what is no longer published', async () => {
    const [path = ''] = [...files.keys()].filter((one) => one.startsWith('blended/2026'));
    const named = JSON.parse(files.get('manifest.json')?.toString() ?? '{}').files as { path: string }[];
    expect(named.map((one) => one.path)).not.toContain(path);
    files.delete(path);
    await rm(join(folder, path));
    expect(await upload()).toMatchObject({ status: 0 });
    expect((await readdir(join(remote, 'blended'))).map((name) => `blended/${name}`)).not.toContain(path);
    expect(await verify(remote)).toBe(4712);
  });

  it('refuses to change a file that never changes, and leaves the old publication', async () => {
    const [path = ''] = [...files.keys()].filter((one) => one.startsWith('manifests/'));
    await writeFile(join(folder, path), '{}');
    const { status, stderr } = await upload();
    expect(status).not.toBe(0);
    expect(stderr).toContain('immutable');
    expect(await verify(remote)).toBe(4712);
    await writeFile(join(folder, path), files.get(path) ?? '');
  });

  it('deletes nothing for a folder without a publication', async () => {
    const empty = join(home, 'empty');
    await mkdir(empty);
    const { status } = spawnSync(UPLOAD, [remote], { cwd: empty });
    expect(status).not.toBe(0);
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
      await published.publish({ ...RATES, '2026-01-06': { EUR: 0.874, JPY: 158 } }, 2);
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
