import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksIn } from '../docs/support.js';
import type { Rates } from '../support/signed-publication.js';
import { openPublishedFolder, type PublishedFolder, rclone, verify } from './published-folder.js';

const RATES: Rates = { '2025-12-31': { EUR: 0.86 }, '2026-01-02': { EUR: 0.87, JPY: 157 } };

let published: PublishedFolder;
let server: Server;
/** Where the server answers, and the bucket there. */
let endpoint: string;
let bucket: string;
/** The paths of files that were written to the bucket, in order. */
let written: string[] = [];
beforeAll(async () => {
  published = await openPublishedFolder();
  const directory = join(published.home, 's3');
  const s3 = new S3rver({ directory, configureBuckets: [{ name: 'rates', configs: [] }], silent: true });
  await s3.configureBuckets();
  const respond = s3.callback();
  server = createServer((request, response) => {
    const [, path] = /^\/rates\/([^?]+)/.exec(request.url ?? '') ?? [];
    if (request.method === 'PUT' && path) written.push(decodeURIComponent(path));
    respond(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bucket = `${endpoint}/rates`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await published.close();
});

/** Uploads with the environment that the document has, but to the server of the test, and by its keys. */
function upload() {
  const block = blocksIn('docs/publication.md').find(({ code }) => code.startsWith('RCLONE_CONFIG_'));
  const keys = { ACCESS_KEY_ID: 'S3RVER', SECRET_ACCESS_KEY: 'S3RVER' };
  const here: Record<string, string> = { ENDPOINT: endpoint, ...keys };
  const lines = [...(block?.code ?? '').matchAll(/^(RCLONE_CONFIG_STORE_(\w+))=(.*)$/gm)];
  const variables = lines.map(([, name, option = '', value]) => [name, here[option] ?? value]);
  const [, to = ''] = /^PUBLISH_HOOK='.*\/upload (.*)'$/m.exec(block?.code ?? '') ?? [];
  // The server does not list folders that have nothing but folders: all files are listed together.
  return published.upload(to, { ...Object.fromEntries(variables), RCLONE_FAST_LIST: 'true' });
}

const HOUR = 'public, max-age=3600, stale-while-revalidate=60, stale-if-error=86400';
const MINUTE = 'public, max-age=60, stale-while-revalidate=60, stale-if-error=86400';
const FOREVER = 'public, max-age=31536000, immutable';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain; charset=utf-8';

/** How long each kind of file may be kept, and its type: what the document promises. */
const KINDS: readonly [path: RegExp, cacheControl: string, type: string][] = [
  [/^(blended|observations|revisions)\/.*\.parquet$/, FOREVER, 'application/vnd.apache.parquet'],
  [/^manifests\/\w+\.json$/, FOREVER, JSON_TYPE],
  [/^tile\//, FOREVER, 'application/octet-stream'],
  [/^day\/[\d-]+\.json$/, HOUR, JSON_TYPE],
  [/^\w+\.json$/, MINUTE, JSON_TYPE],
  [/^(latest\.tlog-proof|checkpoint|keys\.txt)$/, MINUTE, TEXT],
];

describe.runIf(rclone !== '')('an upload with rclone to S3', { shuffle: false, timeout: 120_000 }, () => {
  it('brings all files of the first publication', async () => {
    await published.publish(RATES, 0);
    expect(await upload()).toMatchObject({ status: 0 });
    expect(await verify(bucket)).toBe(4711);
  });

  it('sends of the next one only what is new', async () => {
    const before = new Map(published.files);
    written = [];
    await published.publish({ ...RATES, '2026-01-05': { EUR: 0.8725 } }, 1);
    expect(await upload()).toMatchObject({ status: 0 });
    expect(await verify(bucket)).toBe(4712);
    const changed = [...published.files].filter(([path, bytes]) => !before.get(path)?.equals(bytes));
    expect(written.toSorted()).toEqual([...changed.map(([path]) => path), 'next.tlog-proof'].toSorted());
    expect(written.at(-1)).toBe('latest.tlog-proof');
    expect((await fetch(`${bucket}/next.tlog-proof`)).status).toBe(404);
  });

  it.each(KINDS)(
    'says of files like %s how long they may be kept, and their type',
    async (kind, ...expected) => {
      const paths = [...published.files.keys()].filter((path) => kind.test(path));
      expect(paths).not.toEqual([]);
      for (const path of paths) {
        const { headers } = await fetch(`${bucket}/${path}`, { method: 'HEAD' });
        expect([path, headers.get('cache-control'), headers.get('content-type')]).toEqual([
          path,
          ...expected,
        ]);
      }
    },
  );

  it('has no other kinds of files', () => {
    const isOther = (path: string) => !KINDS.some(([kind]) => kind.test(path));
    expect([...published.files.keys()].filter(isOther)).toEqual([]);
  });
});
