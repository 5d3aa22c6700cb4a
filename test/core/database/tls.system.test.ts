import { chmod, chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { serverUser } from '../../../core/database/embedded-postgres/binaries.js';
import { startEmbeddedPostgres } from '../../../core/database/embedded-postgres/server.js';
import { listen, notify } from '../../../core/database/notifications.js';
import { tryDatabase } from '../../../core/database/wait-for-database.js';
import { openQueues } from '../../../core/queues/queues.js';
import { makeCertificates, type TestCertificates } from '../../support/certificates.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { buildService, startProgram, startService } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';
import { openLog } from '../../worker/ingest/support.js';
import { endWithTest, newFolder } from '../support.js';

const log = pino({ level: 'silent' });
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let own: TestCertificates;

/** PostgreSQL with TLS, whose certificate is that of localhost, not of 127.0.0.1. */
beforeAll(async () => {
  await buildService();
  const folder = await temporaryFolder();
  own = await makeCertificates(folder);
  const user = await serverUser();
  await chmod(own.key, 0o600);
  if (user) await chown(own.key, user.uid, user.gid);
  const files = { ssl_cert_file: own.certificate, ssl_key_file: own.key, ssl_ca_file: own.authority };
  server = await startEmbeddedPostgres(join(folder, 'postgres'), { ssl: 'on', ...files });
});
afterAll(() => server.stop());

function address(parameters: string, host = 'localhost'): string {
  const url = new URL(server.url);
  url.hostname = host;
  url.search = parameters;
  return url.href;
}

/** Lets only these connect over TCP, as lines of pg_hba.conf without the address. */
async function admit(...lines: string[]): Promise<void> {
  const database = openDatabase(server.url);
  const { rows } = await poolOf(database).query<{ hba_file: string }>('show hba_file');
  const file = rows[0]?.hba_file ?? '';
  const before = await readFile(file, 'utf8');
  const write = async (content: string) => {
    await writeFile(file, content);
    await poolOf(database).query('select pg_reload_conf()');
  };
  await write(
    lines
      .map((line) => line.replace(' ', ' all all 127.0.0.1/32 '))
      .join('\n')
      .concat('\n'),
  );
  onTestFinished(async () => {
    await write(before);
    await database.close();
  });
}

/** Whether the connection has TLS, or why there is none. */
async function connected(url: string): Promise<boolean | string> {
  try {
    const database = openDatabase(url);
    onTestFinished(() => database.close());
    await tryDatabase(database);
    const { rows } = await poolOf(database).query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return rows[0]?.ssl;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const UNTRUSTED = expect.stringMatching(
  /^TLS to the database fails: its certificate is not trusted: .*\(SELF_SIGNED_CERT_IN_CHAIN\)$/,
);
const OTHER_NAME = expect.stringMatching(
  /^TLS to the database fails: .*does not match.*\(ERR_TLS_CERT_ALTNAME_INVALID\)$/,
);

describe('a server with TLS', () => {
  it.each([
    ['', false],
    ['sslmode=disable', false],
    ['sslmode=allow', false],
    ['sslmode=prefer', false],
    ['sslmode=require', true],
    ['sslmode=no-verify', true],
    ['sslmode=require&sslrootcert=OWN', true],
    ['sslmode=require&sslrootcert=OTHER', UNTRUSTED],
    ['sslmode=verify-ca&sslrootcert=OWN', true],
    ['sslmode=verify-ca&sslrootcert=OTHER', UNTRUSTED],
    ['sslmode=verify-full&sslrootcert=OWN', true],
    ['sslmode=verify-full&sslrootcert=OTHER', UNTRUSTED],
    ['sslmode=verify-full', UNTRUSTED],
    ['sslrootcert=system', UNTRUSTED],
    ['sslrootcert=OWN', true],
    ['sslmode=require&sslrootcert=system', 'DATABASE_URL: sslrootcert=system needs sslmode=verify-full'],
    ['sslmode=verify-ca', expect.stringMatching(/^DATABASE_URL: sslmode=verify-ca needs sslrootcert/)],
    ['sslmode=verify', expect.stringMatching(/^DATABASE_URL: sslmode must be one of disable, /)],
    ['sslmode=verify-full&sslrootcert=/none', "DATABASE_URL: sslrootcert: /none can't be read"],
    ['sslmode=require&sslkey=OWN', expect.stringMatching(/^DATABASE_URL: .*can't be used: /)],
  ])('with %s', async (parameters, outcome) => {
    const other = await makeCertificates(await newFolder());
    const given = parameters.replace('OWN', own.authority).replace('OTHER', other.authority);
    expect(await connected(address(given))).toEqual(outcome);
  });

  it('has a name, which verify-full alone compares', async () => {
    const rooted = (mode: string) => address(`sslmode=${mode}&sslrootcert=${own.authority}`, '127.0.0.1');
    expect(await connected(rooted('verify-full'))).toEqual(OTHER_NAME);
    for (const mode of ['verify-ca', 'require']) expect(await connected(rooted(mode))).toBe(true);
  });

  it('may demand it', async () => {
    await admit('hostssl scram-sha-256');
    const none = expect.stringContaining('no encryption');
    expect(await connected(address('sslmode=disable'))).toEqual(none);
    expect(await connected(address('sslmode=require'))).toBe(true);
  });

  it('may not let in anybody with it', async () => {
    await admit('hostnossl scram-sha-256');
    expect(await connected(address('sslmode=require'))).toMatch(/no pg_hba.conf entry.*SSL encryption/);
  });

  it('may demand a certificate of the client', async () => {
    await admit('hostssl scram-sha-256 clientcert=verify-ca', 'hostnossl scram-sha-256');
    const mine = `sslcert=${own.certificate}&sslkey=${own.key}`;
    expect(await connected(address(`sslmode=require&${mine}`))).toBe(true);
    expect(await connected(address('sslmode=require'))).toMatch(/valid client certificate/);
    const other = await makeCertificates(await newFolder());
    const theirs = `sslcert=${other.certificate}&sslkey=${other.key}`;
    expect(await connected(address(`sslmode=require&${theirs}`))).toMatch(
      /^TLS to the database fails: it accepts neither/,
    );
  });
});

it.each(['require', 'verify-full'])('a server without TLS, with sslmode=%s', async (mode) => {
  const outcome = await connected(`${inject('templateUrl')}?sslmode=${mode}`);
  expect(outcome).toBe('TLS to the database fails: it has none');
});

it('TLS is that of queues and listeners too, and carries much', async () => {
  const url = address(`sslmode=verify-full&sslrootcert=${own.authority}`);
  const database = openDatabase(url);
  onTestFinished(() => database.close());
  const queues = await openQueues({ databaseUrl: url }, openLog());
  onTestFinished(() => queues.close());
  const closing = new AbortController();
  const onMessage = vi.fn();
  const listening = new Promise<void>((onListening) => {
    void listen(database, 'news', { onMessage, onListening, closing: closing.signal, log });
  });
  onTestFinished(() => closing.abort());
  await listening;
  await notify(database, 'news', 'one');
  await vi.waitFor(() => expect(onMessage).toHaveBeenCalled());
  const large =
    'select string_agg(md5(n::text), null) as text, pg_sleep(0.1) from generate_series(1, 300000) as n';
  const answers = await Promise.all(Array.from({ length: 3 }, () => poolOf(database).query(large)));
  expect(answers.map(({ rows }) => rows[0].text.length)).toEqual([9_600_000, 9_600_000, 9_600_000]);
  const sent = await poolOf(database).query('select length($1) as length', ['x'.repeat(20_000_000)]);
  expect(sent.rows).toEqual([{ length: 20_000_000 }]);
  expect(await sessions()).toEqual([{ ssl: true, many: true }]);
});

/** Of the service's database, other than the one that asks. */
async function sessions() {
  const database = openDatabase(server.url);
  const { rows } = await poolOf(database).query(`
    select ssl, count(*) > 4 as many from pg_stat_ssl join pg_stat_activity using (pid)
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
    group by ssl`);
  await database.close();
  return rows;
}

it.each(['src/main.js', 'worker/main.js', 'core/start/main.js'])(
  '%s ends with one line if the certificate is not trusted',
  async (entry) => {
    const DATABASE_URL = address('sslmode=verify-full');
    const { code, stderr } = await startProgram(entry, { DATABASE_URL }).ended;
    const lines = new Set(stderr.trim().split('\n'));
    expect([...lines]).toEqual([
      expect.stringMatching(/^almanac: TLS to the database fails: its certificate/),
    ]);
    expect(code).toBe(78);
  },
);

it('a command ends with one line if the certificate is not trusted', async () => {
  const variables = { DATABASE_URL: address('sslmode=verify-full') };
  const { code, stderr } = await cli(['digest'], { variables });
  expect(stderr.trim()).toMatch(/^.*TLS to the database fails: its certificate.*$/);
  expect(code).toBe(78);
});

it('the whole service has TLS on each connection', async () => {
  const DATABASE_URL = address(`sslmode=verify-full&sslrootcert=${own.authority}`);
  const service = endWithTest(startService({ DATABASE_URL }));
  await service.listening;
  await vi.waitFor(async () => expect(await sessions()).toEqual([{ ssl: true, many: true }]), 60_000);
});
