import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { openDatabase, poolOf, prismaOf } from '../../core/database/database.js';
import { databaseUrl } from '../../core/database/embedded-postgres/server.js';
import { temporaryFolder } from '../support/postgres-server.js';
import { buildService, childrenOf, commandOf, type Service, startService } from '../support/service.js';

let folder: string;
const started: Service[] = [];

beforeAll(async () => {
  [folder] = await Promise.all([temporaryFolder(), buildService()]);
});

afterEach(async () => {
  for (const service of started.splice(0)) {
    service.process.kill('SIGTERM');
    await service.ended;
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function start(variables: Readonly<Record<string, string>> = {}): Service {
  const service = startService({ DATA_DIR: folder, ...variables });
  started.push(service);
  return service;
}

describe('one line and a non-zero exit', { timeout: 30_000 }, () => {
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
    const first = start();
    const url = await first.listening;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const database = await embeddedDatabase();
    await prismaOf(database).refusalPhrase.create({ data: { phrase: 'kept' } });
    await database.close();

    const beside = await start().ended;
    expect(beside.code).toBe(78);
    expect(beside.stderr).toMatch(/^almanac: .*in use by another running service\n$/);

    const sides = await childrenOf(pidOf(first));
    const commands = await Promise.all(sides.map(commandOf));
    const worker = sides[commands.findIndex((command) => command.includes('worker/main.js'))];
    const api = sides[commands.findIndex((command) => command.includes('src/main.js'))];
    process.kill(worker ?? Number.NaN, 'SIGKILL');
    await vi.waitFor(async () => {
      const now = await Promise.all((await childrenOf(pidOf(first))).map(commandOf));
      expect(now.filter((command) => command.includes('worker/main.js'))).toHaveLength(1);
      expect(await childrenOf(pidOf(first))).not.toContain(worker);
    }, 15_000);
    expect(await childrenOf(pidOf(first))).toContain(api);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);

    const children = [...(await childrenOf(pidOf(first))), await postgresPid()];
    first.process.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
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
    const first = start();
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
      15_000,
    );

    const second = start();
    await second.listening;
    expect(await commandOf(postgres)).toBe('');
    second.process.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
  });

  test('brings PostgreSQL back when it crashes', async () => {
    const service = start();
    const url = await service.listening;
    const crashed = await postgresPid();
    process.kill(crashed, 'SIGKILL');
    await vi.waitFor(async () => {
      expect(await postgresPid()).not.toBe(crashed);
      const database = await embeddedDatabase();
      await poolOf(database)
        .query('select 1')
        .finally(() => database.close());
    }, 30_000);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    service.process.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});
