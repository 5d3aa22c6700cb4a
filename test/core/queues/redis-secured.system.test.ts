import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { Redis } from 'ioredis';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CANNOT_START } from '../../../core/process/lifecycle.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { pingRedis } from '../../../core/queues/redis.js';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { makeCertificates } from '../../support/certificates.js';
import { answer, httpStub } from '../../support/http-stub.js';
import { testDatabase } from '../../support/postgres.js';
import { redisServerMissing, startRedisProcess } from '../../support/redis-server.js';
import { openRedisUses } from '../../support/redis-uses.js';
import { buildService, startProgram } from '../../support/service.js';
import { endWithTest, newFolder, rowsOf } from '../support.js';

const TOKEN = 'a-token-for-tests-only';
const NOTHING_ON_DISK = ['--save', '', '--appendonly', 'no'];
/** A Redis with the users that the documentation describes. */
async function start(options: readonly string[] = []) {
  const server = await startRedisProcess([...NOTHING_ON_DISK, ...options]);
  if (!server) throw new Error('Redis did not start');
  onTestFinished(() => server.stop());
  const admin = new Redis(server.url);
  onTestFinished(() => admin.disconnect());
  const documentation = await readFile(join(projectFolder, 'docs', 'deployment.md'), 'utf8');
  const [, words = ''] = /^ACL (SETUSER almanac .*)$/m.exec(documentation) ?? [];
  await admin.call('ACL', ...words.split(' '));
  return { host: new URL(server.url).host, admin };
}

it.skipIf(redisServerMissing)('the documented users of Redis may do what is needed alone', async () => {
  const { host, admin } = await start();
  const uses = await openRedisUses(`redis://almanac:secret@${host}`);
  onTestFinished(() => uses.close());
  await uses.useAll();
  expect(await admin.call('ACL', 'LOG')).toEqual([]);

  await admin.set('other:key', 'of others');
  const client = new Redis(`redis://almanac:secret@${host}`);
  onTestFinished(() => client.disconnect());
  for (const refused of [
    client.get('other:key'),
    client.set('other:key', 'mine'),
    client.publish('other_data_version', '1'),
    client.flushall(),
    client.keys('*'),
    client.config('GET', 'maxmemory'),
    client.call('SHUTDOWN'),
  ])
    await expect(refused).rejects.toThrow(/^NOPERM/);
});

describe('a certificate of Redis that is not trusted', () => {
  beforeAll(buildService);

  it.each(['src/main.js', 'worker/main.js'])('ends %s with one line that says so', async (entry) => {
    const { certificate, key } = await makeCertificates(await newFolder());
    const [cert, itsKey] = await Promise.all([readFile(certificate), readFile(key)]);
    const server = createServer({ cert, key: itsKey }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `rediss://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const { code, stderr } = await startProgram(entry, { DATABASE_URL: database.url, REDIS_URL: url }).ended;
    expect(stderr).toMatch(/^almanac: TLS to Redis fails: its certificate is not trusted: .*\n$/);
    expect(code).toBe(CANNOT_START);
  });
});

describe.skipIf(redisServerMissing)('Redis with TLS', () => {
  beforeAll(buildService);

  it('serves both programs, who know its authority, as the documented users', async () => {
    const { authority, certificate, key } = await makeCertificates(await newFolder());
    const tlsPort = await freePort();
    const { admin } = await start([
      ...['--tls-port', String(tlsPort), '--tls-auth-clients', 'no', '--tls-ca-cert-file', authority],
      ...['--tls-cert-file', certificate, '--tls-key-file', key],
    ]);
    const database = await testDatabase();
    onTestFinished(() => database.close());
    const upstream = await httpStub({ '/': answer({ services: [] }) });
    onTestFinished(() => upstream.close());
    const redisUrl = `rediss://almanac:secret@localhost:${tlsPort}`;
    await expect(pingRedis(redisUrl)).rejects.toThrow('self-signed certificate in certificate chain');

    const ports = { api: await freePort(), worker: await freePort() };
    const shared = { DATABASE_URL: database.url, REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: authority };
    endWithTest(startProgram('worker/main.js', { ...shared, ADMIN_PORT: String(ports.worker) }));
    const ofApi = { PORT: String(ports.api), ADMIN_TOKEN: TOKEN, RATE_LIMITS: 'utility=90' };
    endWithTest(startProgram('src/main.js', { ...shared, ...ofApi, BUS_ARRIVALS_URL: upstream.url }));
    const headers = { authorization: `Bearer ${TOKEN}` };
    const ask = (path: string, method = 'GET') =>
      fetch(`http://127.0.0.1:${ports.api}${path}`, { method, headers });
    await vi.waitFor(async () => {
      expect(await (await ask('/health/ready')).json()).toMatchObject({ redis: 'up', queue: 'up' });
      expect((await fetch(`http://127.0.0.1:${ports.worker}/health/ready`)).status).toBe(200);
    });

    const added = await ask('/admin/blend/rebuild', 'POST');
    expect(added.status).toBe(202);
    const { job } = (await added.json()) as { job: { id: string } };
    const stateOf = async () => (await ask(`/admin/jobs/${job.id}`)).json();
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ job: { state: 'completed' } }));
    const board = '/admin/queues/api/queues';
    for (const path of [board, `${board}/blend/${job.id}/logs`, '/no', '/sg/bus-arrivals?code=83139'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    const keys = await admin.keys('*');
    for (const kind of ['blend', 'limit', 'cache'])
      expect(keys).toContainEqual(expect.stringMatching(`^almanac:${kind}:`));
    // Nothing of the queues is in the database.
    expect(await rowsOf(database, `select to_regclass('bullmq.job')`)).toEqual([[null]]);
    expect(await admin.pubsub('CHANNELS')).toEqual(['almanac_data_version']);
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
  });
});
