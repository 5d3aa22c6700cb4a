import { once } from 'node:events';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openDatabase, poolOf, prismaOf } from '../../../core/database/database.js';
import { databaseUrl } from '../../../core/database/embedded-postgres/server.js';
import { testDatabase } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { buildService, childrenOf, commandOf, type Service, startService } from '../../support/service.js';

let folder: string;
const started: Service[] = [];
/** The service on the shared folder that a test has left running for the next one. */
let shared: Service | undefined;

beforeAll(async () => {
  [folder] = await Promise.all([temporaryFolder(), buildService()]);
});

afterEach(async () => {
  for (const service of started.splice(0)) {
    service.process.kill('SIGTERM');
    await service.ended;
  }
});

afterAll(async () => {
  await stopShared();
  await rm(folder, { recursive: true, force: true });
});

/** The service on the shared folder, started unless a test has left it running. */
function running(): Service {
  shared ??= startService({ DATA_DIR: folder, LOG_LEVEL: 'debug' });
  return shared;
}

async function stopShared(): Promise<void> {
  const service = shared;
  shared = undefined;
  service?.process.kill('SIGTERM');
  await service?.ended;
}

function start(variables: Readonly<Record<string, string>> = {}): Service {
  const service = startService({ DATA_DIR: folder, ...variables });
  started.push(service);
  return service;
}

describe('one line and a non-zero exit', () => {
  const expectLine = async (variables: Readonly<Record<string, string>>, line: RegExp) => {
    const { code, stdout, stderr } = await start(variables).ended;
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
    expect(stdout).toBe('');
    expect(code).toBe(78);
  };

  test('for an invalid variable', () => expectLine({ PORT: 'eighty' }, /PORT: /));

  test('for a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    try {
      await expectLine({ PORT: port }, new RegExp(`port ${port} is already in use`));
    } finally {
      other.close();
    }
  });

  test('for a database that nobody serves', () =>
    expectLine(
      { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/almanac' },
      /cannot connect to 127.0.0.1:9 /,
    ));

  test('for a wrong password', async () => {
    const url = new URL(inject('templateUrl'));
    url.password = 'hidden';
    await expectLine({ DATABASE_URL: url.toString() }, /^(?!.*hidden).*the database refuses: password/);
  });

  test('for a database that does not exist', async () => {
    const url = new URL(inject('templateUrl'));
    url.pathname = '/nowhere';
    await expectLine(
      { DATABASE_URL: url.toString() },
      /the database refuses: database "nowhere" does not exist/,
    );
  });

  test('for a DATABASE_URL where no PostgreSQL listens but an HTTP server', async () => {
    const other = createHttpServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    try {
      await expectLine(
        { DATABASE_URL: `postgres://user:hidden@127.0.0.1:${port}/almanac` },
        /^(?!.*hidden).*closes the connection: it may not be PostgreSQL/,
      );
    } finally {
      other.close();
    }
  });

  test('for a database that a newer version of the program has changed too much', async () => {
    const database = await testDatabase();
    try {
      await database.pool.query(
        `insert into _prisma_migrations (id, checksum, migration_name, finished_at)
         values ('newer', 'newer', '29990101000000_newer', now())`,
      );
      await database.pool.query(`update schema_compatibility set oldest_writer = '29990101000000_newer'`);
      await expectLine({ DATABASE_URL: database.url }, /newer version of this program.*29990101000000_newer/);
    } finally {
      await database.close();
    }
  });

  test('for a DATA_DIR that is a file', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expectLine({ DATA_DIR: file }, /the data folder .*file can't be used: EEXIST/);
    await expectLine({ DATA_DIR: join(file, 'below') }, /the data folder .*below can't be used: EEXIST/);
  });

  test.skipIf(process.platform !== 'linux')('for a DATA_DIR where nothing can be made', () =>
    expectLine({ DATA_DIR: '/proc/almanac' }, /the data folder \/proc\/almanac can't be used: /),
  );
});

describe.skipIf(process.platform !== 'linux')('the whole service', { timeout: 120_000 }, () => {
  const postgresPid = async () =>
    Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const pidOf = (service: Service) => service.process.pid ?? Number.NaN;

  async function embeddedDatabase() {
    const [password, port] = await Promise.all([
      readFile(join(folder, 'password'), 'utf8'),
      readFile(join(folder, 'port'), 'utf8'),
    ]);
    return openDatabase(databaseUrl(password, Number(port)), { connections: 1 });
  }

  test('starts, keeps both sides running, stops whole, and finds its data again', async () => {
    await stopShared();
    const first = start();
    const url = await first.listening;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const greeted = first
      .output()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{'));
    expect(greeted).toEqual([
      `Almanac listens on ${url}`,
      `The reference is at ${url}/docs`,
      'There are no rates yet. Reading the banks is off (SCHEDULE=off).',
      'Press Ctrl-C to stop.',
    ]);
    const database = await embeddedDatabase();
    await prismaOf(database).refusalPhrase.create({ data: { phrase: 'kept' } });
    await database.close();

    const beside = await start().ended;
    expect(beside.code).toBe(78);
    expect(beside.stdout).toMatch(/in use by process \d+ on .*Waiting for it to end/);
    expect(beside.stderr).toMatch(
      new RegExp(
        `^almanac: the data folder ${folder} is in use by process ${pidOf(first)} on .*docker exec\n$`,
      ),
    );

    const sides = await childrenOf(pidOf(first));
    const commands = await Promise.all(sides.map(commandOf));
    const worker = sides[commands.findIndex((command) => command.includes('worker/main.js'))];
    const api = sides[commands.findIndex((command) => command.includes('src/main.js'))];
    // Where processors are short, the API goes first.
    const ownPriority = getPriority(pidOf(first));
    expect(getPriority(api)).toBe(ownPriority);
    for (const pid of [worker, await postgresPid()]) expect(getPriority(pid)).toBeGreaterThan(ownPriority);
    process.kill(worker ?? Number.NaN, 'SIGKILL');
    await vi.waitFor(async () => {
      const now = await Promise.all((await childrenOf(pidOf(first))).map(commandOf));
      expect(now.filter((command) => command.includes('worker/main.js'))).toHaveLength(1);
      expect(await childrenOf(pidOf(first))).not.toContain(worker);
    }, 120_000);
    expect(await childrenOf(pidOf(first))).toContain(api);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);

    const children = [...(await childrenOf(pidOf(first))), await postgresPid()];
    first.process.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    // Nothing that is expected of a first start is an error, but for the worker that was killed.
    const isError = (line: string) => /"level":(50|60)/.test(line);
    expect(first.output().split('\n').filter(isError)).toEqual([expect.stringContaining('SIGKILL')]);
    expect(await Promise.all(children.map(commandOf))).toEqual(children.map(() => ''));

    const second = start();
    await second.listening;
    const again = await embeddedDatabase();
    expect(await prismaOf(again).refusalPhrase.count({ where: { phrase: 'kept' } })).toBe(1);
    await again.close();
    // A Ctrl-C on a terminal reaches the parent and its children, all at once.
    process.kill(-pidOf(second), 'SIGINT');
    expect((await second.ended).code).toBe(0);
  });

  test('leaves no side behind when the parent is killed, and starts again after', async () => {
    const first = running();
    shared = undefined;
    await first.listening;
    const sides = (
      await Promise.all(
        (await childrenOf(pidOf(first))).map(async (pid) => ({ pid, command: await commandOf(pid) })),
      )
    ).filter(({ command }) => command.includes('main.js'));
    expect(sides).toHaveLength(2);
    const postgres = await postgresPid();
    first.process.kill('SIGKILL');
    await vi.waitFor(
      async () => expect(await Promise.all(sides.map(({ pid }) => commandOf(pid)))).toEqual(['', '']),
      60_000,
    );

    await running().listening;
    expect(await commandOf(postgres)).toBe('');
  });

  test('brings PostgreSQL back when it crashes', async () => {
    const service = running();
    const url = await service.listening;
    const crashed = await postgresPid();
    process.kill(crashed, 'SIGKILL');
    await vi.waitFor(async () => {
      expect(await postgresPid()).not.toBe(crashed);
      const database = await embeddedDatabase();
      await poolOf(database)
        .query('select 1')
        .finally(() => database.close());
    }, 120_000);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect(service.process.exitCode).toBeNull();
  });

  test('of three starts at once on an empty folder one runs, and the others say why they do not', async () => {
    const empty = await temporaryFolder();
    try {
      const services = [1, 2, 3].map(() => start({ DATA_DIR: empty }));
      const states = services.map(({ listening, ended }) =>
        Promise.race([
          listening.then(() => 'listens'),
          ended.then(({ code, stderr }) => `${code} ${stderr}`),
        ]),
      );
      const inUse = expect.stringMatching(/^78 almanac: the data folder .* is in use by process \d+ on /);
      expect((await Promise.all(states)).sort()).toEqual([inUse, inUse, 'listens']);
      expect((await readdir(empty)).sort()).toEqual(['lock', 'password', 'port', 'postgres', 'postgres.log']);
    } finally {
      for (const service of started.splice(0)) {
        service.process.kill('SIGTERM');
        await service.ended;
      }
      await rm(empty, { recursive: true, force: true });
    }
  });

  test('keeps the API while PostgreSQL can not be started again, and gets it back once it can', async () => {
    const service = running();
    const url = await service.listening;
    const control = join(folder, 'postgres', 'global', 'pg_control');
    await rename(control, `${control}.away`);
    process.kill(await postgresPid(), 'SIGKILL');
    const failures = () => service.output().split('PostgreSQL did not start').length - 1;
    await vi.waitFor(() => expect(failures()).toBeGreaterThan(6), { timeout: 90_000, interval: 200 });
    expect(service.output().split('PostgreSQL did not start, is tried again').length - 1).toBe(1);
    expect((await fetch(`${url}/v2/rates`)).status).toBe(200);
    const ready = await fetch(`${url}/health/ready`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded', database: 'down' }]);

    await rename(`${control}.away`, control);
    await vi.waitFor(
      async () => expect(await (await fetch(`${url}/health/ready`)).json()).toMatchObject({ database: 'up' }),
      { timeout: 60_000, interval: 500 },
    );
    expect(service.output()).toContain('PostgreSQL runs again');
    shared = undefined;
    service.process.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  }, 180_000);
});
