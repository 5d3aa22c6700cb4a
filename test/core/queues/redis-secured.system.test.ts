import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { pingRedis } from '../../../core/queues/redis.js';
import { openCache } from '../../../src/cache/shared-cache.js';
import { answer, httpStub } from '../../support/http-stub.js';
import { testDatabase } from '../../support/postgres.js';
import { freePort, redisServerMissing, startRedisProcess } from '../../support/redis-server.js';
import { openRedisUses } from '../../support/redis-uses.js';
import { buildService, type StartedProgram, startProgram } from '../../support/service.js';

const TOKEN = 'a-token-for-tests-only';
const NOTHING_ON_DISK = ['--save', '', '--appendonly', 'no'];
const closings: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A Redis with the user that the documentation tells to make; `login` is that user's part of a URL. */
async function start(options: readonly string[] = []) {
  const server = await startRedisProcess([...NOTHING_ON_DISK, ...options]);
  if (!server) throw new Error('Redis did not start');
  closings.push(() => server.stop());
  const admin = new Redis(server.url);
  closings.push(() => admin.disconnect());
  const documentation = await readFile(join(projectFolder, 'docs', 'deployment.md'), 'utf8');
  const [, words = '', onlyCaches = ''] =
    /^ACL (SETUSER almanac .*)$[\s\S]*?caches only, `([^`]*)`/m.exec(documentation) ?? [];
  await admin.call('ACL', ...words.split(' '));
  await admin.call('ACL', 'SETUSER', 'caches', 'on', '>secret', '~almanac:*', ...onlyCaches.split(' '));
  return { host: new URL(server.url).host, admin };
}

/** An authority and a certificate of its own for this machine. */
async function makeCertificates() {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-certificates-'));
  closings.push(() => rm(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  await writeFile(file('names'), 'subjectAltName=DNS:localhost');
  const openssl = (line: string) => promisify(execFile)('openssl', line.split(' '), { cwd: folder });
  const newKey = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await openssl(`${newKey} -x509 -days 2 -subj /CN=authority -keyout ca.key -out ca.pem`);
  await openssl(`${newKey} -subj /CN=redis -keyout redis.key -out redis.csr`);
  await openssl(
    'x509 -req -in redis.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out redis.pem',
  );
  return { authority: file('ca.pem'), certificate: file('redis.pem'), key: file('redis.key') };
}

describe.skipIf(redisServerMissing)('the documented user of Redis', () => {
  it('may do all that is needed', async () => {
    const { host, admin } = await start();
    const uses = await openRedisUses({ redisUrl: `redis://almanac:secret@${host}` });
    closings.push(() => uses.close());
    await uses.useAll();
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
  });

  it('may do nothing else', async () => {
    const { host, admin } = await start();
    await admin.set('other:key', 'of others');
    const client = new Redis(`redis://almanac:secret@${host}`);
    closings.push(() => client.disconnect());
    for (const refused of [
      client.get('other:key'),
      client.set('other:key', 'mine'),
      client.publish('other_data_version', '1'),
      client.flushall(),
      client.keys('*'),
      client.config('GET', 'maxmemory'),
      client.call('SHUTDOWN'),
    ]) {
      await expect(refused).rejects.toThrow(/^NOPERM/);
    }
  });

  it('may be a smaller one where there are only caches', async () => {
    const { host, admin } = await start();
    const cache = openCache({ redisUrl: `redis://caches:secret@${host}`, log: pino({ level: 'silent' }) });
    closings.push(() => cache.close());
    await vi.waitFor(async () => {
      await cache.set('body', new Uint8Array(3), 60);
      expect(await cache.get('body')).toHaveLength(3);
    });
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
  });
});

describe.skipIf(redisServerMissing)('Redis with TLS', () => {
  beforeAll(buildService);

  function startAlmanac(entry: string, variables: Record<string, string>): StartedProgram {
    const program = startProgram(entry, variables);
    closings.push(async () => {
      program.process.kill('SIGTERM');
      await program.ended;
    });
    return program;
  }

  it('serves both programs, who know its authority, as the documented users', async () => {
    const { authority, certificate, key } = await makeCertificates();
    const tlsPort = await freePort();
    const { admin } = await start([
      ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', '--tls-ca-cert-file', authority],
      ...['--tls-cert-file', certificate, '--tls-key-file', key],
    ]);
    const database = await testDatabase();
    closings.push(() => database.close());
    const upstream = await httpStub({ '/': answer({ services: [] }) });
    closings.push(() => upstream.close());
    const redisUrl = `rediss://almanac:secret@localhost:${tlsPort}`;
    await expect(pingRedis(redisUrl)).rejects.toThrow('self-signed certificate in certificate chain');

    const ports = { api: await freePort(), worker: await freePort() };
    const shared = { DATABASE_URL: database.url, REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: authority };
    startAlmanac('worker/main.js', { ...shared, WORKER_HEALTH_PORT: String(ports.worker) });
    startAlmanac('src/main.js', {
      ...shared,
      PORT: String(ports.api),
      ADMIN_TOKEN: TOKEN,
      RATE_LIMIT_UTILITY: '90',
      REDIS_CACHE_URL: `rediss://caches:secret@localhost:${tlsPort}/1`,
      BUS_ARRIVALS_URL: upstream.url,
    });
    const ask = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${ports.api}${path}`, {
        method,
        headers: { authorization: `Bearer ${TOKEN}` },
      });
    await vi.waitFor(async () => {
      expect(await (await ask('/health/ready')).json()).toMatchObject({ redis: 'up', queue: 'up' });
      expect((await fetch(`http://127.0.0.1:${ports.worker}/health/ready`)).status).toBe(200);
    });

    const added = await ask('/admin/blend/rebuild', 'POST');
    expect(added.status).toBe(202);
    const { job } = (await added.json()) as { job: { id: string } };
    await vi.waitFor(async () =>
      expect(await (await ask(`/admin/jobs/${job.id}`)).json()).toMatchObject({
        job: { state: 'completed' },
      }),
    );
    const board = '/admin/queues/api/queues';
    for (const path of [board, `${board}/blend/${job.id}/logs`, '/no', '/sg/bus-arrivals?code=83139']) {
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    }
    const keys = await admin.keys('*');
    for (const kind of ['blend', 'limit']) {
      expect(keys).toContainEqual(expect.stringMatching(`^almanac:${kind}:`));
    }
    const isCached = (key: string) => key.startsWith('almanac:cache:');
    expect(keys.filter(isCached)).toEqual([]);
    expect(await admin.pubsub('CHANNELS')).toEqual(['almanac_data_version']);
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
    await admin.select(1);
    const cached = await admin.keys('*');
    expect(cached.length).toBeGreaterThan(0);
    expect(cached.filter(isCached)).toEqual(cached);
  });
});
