import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '../../../core/database/database.js';
import { databaseUrl } from '../../../core/database/embedded-postgres/server.js';
import { temporaryFolder } from '../../support/postgres-server.js';
import { buildService, childrenOf, commandOf, type Service, startService } from '../../support/service.js';

let folder: string;
const started: Service[] = [];
beforeAll(async () => {
  [folder] = await Promise.all([temporaryFolder(), buildService()]);
});
afterEach(async () => {
  for (const service of started.splice(0)) await stop(service, 'SIGTERM');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(variables: Readonly<Record<string, string>> = {}): Service {
  const service = startService({ DATA_DIR: folder, ...variables });
  started.push(service);
  return service;
}
async function stop({ process: program, ended }: Service, signal: NodeJS.Signals): Promise<number | null> {
  program.kill(signal);
  return (await ended).code;
}

it('what keeps it from starting is one line and a non-zero exit', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  for (const [variables, line] of [
    [{ PORT: 'eighty' }, /PORT: /],
    [{ PORT }, new RegExp(`port ${PORT} is already in use`)],
    [{ DATABASE_URL: 'postgres://me:hidden@127.0.0.1:9/x' }, /^(?!.*hidden).*cannot connect to 127.0.0.1:9 /],
    [{ DATA_DIR: '/dev/null/below' }, /the data folder .*below can't be used: E/],
  ] as const) {
    const ended = await start(variables).ended;
    expect(ended).toEqual({ code: 78, stdout: '', stderr: expect.stringMatching(line) });
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  }
  other.close();
});

// Each test goes on with what the one before it has left in the folder.
describe.skipIf(process.platform !== 'linux')('the whole service', () => {
  const postgresPid = async () =>
    Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const pidOf = ({ process: program }: Service) => program.pid ?? Number.NaN;
  const sidesOf = async (service: Service) => {
    const pids = await childrenOf(pidOf(service));
    const named = pids.map(async (pid) => [pid, await commandOf(pid)] as const);
    const sides = await Promise.all(named);
    const pidWith = (entry: string) =>
      sides.find(([, command]) => command.includes(entry))?.[0] ?? Number.NaN;
    return { api: pidWith('src/main.js'), worker: pidWith('worker/main.js') };
  };
  async function query(text: string): Promise<unknown[]> {
    const password = await readFile(join(folder, 'password'), 'utf8');
    const [, , , port] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    const database = openDatabase(databaseUrl(password, Number(port)), { connections: 1 });
    return (
      await poolOf(database)
        .query(text)
        .finally(() => database.close())
    ).rows;
  }
  const nicenessOfSession = async (pid: number) =>
    Number((await readFile(`/proc/${pid}/autogroup`, 'utf8')).split(' ').at(-1));
  const ready = async (url: string) => {
    const response = await fetch(`${url}/health/ready`);
    return { code: response.status, ...((await response.json()) as object) };
  };

  it('of three starts at once on an empty folder one runs, and the others say why they do not', async () => {
    const three = [1, 2, 3].map(() => start());
    const states = await Promise.all(
      three.map(async (service) => {
        const { listening, ended } = service;
        const url = await Promise.race([listening, ended.then(() => undefined)]).catch(() => undefined);
        return { service, url };
      }),
    );
    const [running, ...more] = states.filter(({ url }) => url);
    if (!running?.url) throw new Error('none runs');
    const { service, url } = running;
    expect(more).toEqual([]);
    const inUse = `^almanac: the data folder ${folder} is in use by process ${pidOf(service)} on .*docker exec\n$`;
    for (const other of three)
      if (other !== service)
        expect(await other.ended).toEqual({
          code: 78,
          stdout: expect.stringMatching(/in use by .*Waiting for it to end/),
          stderr: expect.stringMatching(new RegExp(inUse)),
        });
    expect((await readdir(folder)).sort()).toEqual(['lock', 'password', 'postgres', 'postgres.log']);

    const greeted = service.output().split('\n');
    expect(greeted.filter((line) => line !== '' && !line.startsWith('{'))).toEqual([
      'There are no rates yet. Reading the banks is off (SCHEDULE=off).',
      `The reference is at ${url}/docs. Press Ctrl-C to stop.`,
      `Almanac listens on ${url}`,
    ]);
    await query(`insert into refusal_phrases (phrase) values ('kept')`);

    const { api, worker } = await sidesOf(service);
    // Where processors are short, the API goes first.
    const own = getPriority(pidOf(service));
    expect(getPriority(api)).toBe(own);
    for (const pid of [worker, await postgresPid()]) expect(getPriority(pid)).toBeGreaterThan(own);
    if (existsSync('/proc/self/autogroup')) {
      const text = `select pid from pg_stat_activity where datname = 'almanac' and pid <> pg_backend_pid()`;
      const connections = (await query(text)) as { pid: number }[];
      const all = [pidOf(service), api, worker, ...connections.map(({ pid }) => pid)];
      const [same, ofApi, ofWorker, ...others] = await Promise.all(all.map(nicenessOfSession));
      expect([ofApi, ofWorker]).toEqual([same, 10]);
      expect(others, 'those of the worker, and those of the API').toEqual(expect.arrayContaining([10, 0]));
    }
    process.kill(worker, 'SIGKILL');
    await vi.waitFor(async () => {
      const now = await sidesOf(service);
      expect([now.api, now.worker > 0, now.worker === worker]).toEqual([api, true, false]);
    }, 120_000);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);

    const children = [...(await childrenOf(pidOf(service))), await postgresPid()];
    expect(await stop(service, 'SIGTERM')).toBe(0);
    // Nothing that is expected of a first start is an error, but for the worker that was killed.
    const errors = service
      .output()
      .split('\n')
      .filter((line) => /"level":(50|60)/.test(line));
    expect(errors).toEqual([expect.stringContaining('SIGKILL')]);
    expect(await Promise.all(children.map(commandOf))).toEqual(children.map(() => ''));
  });

  it('finds its data again, and leaves no side behind when the parent is killed', async () => {
    const service = start();
    await service.listening;
    expect(await query(`select phrase from refusal_phrases where phrase = 'kept'`)).toEqual([
      { phrase: 'kept' },
    ]);
    const { api, worker } = await sidesOf(service);
    const postgres = await postgresPid();
    await stop(service, 'SIGKILL');
    await expect.poll(() => Promise.all([api, worker].map(commandOf))).toEqual(['', '']);
    await start().listening;
    expect(await commandOf(postgres)).toBe('');
  });

  it('brings PostgreSQL back when it crashes, and keeps the API while that can not be', async () => {
    const service = start({ LOG_LEVEL: 'debug' });
    const url = await service.listening;
    const crashed = await postgresPid();
    process.kill(crashed, 'SIGKILL');
    await vi.waitFor(async () => {
      expect(await postgresPid()).not.toBe(crashed);
      expect(await ready(url)).toMatchObject({ code: 200, database: 'up' });
    }, 120_000);

    const control = join(folder, 'postgres', 'global', 'pg_control');
    await rename(control, `${control}.away`);
    process.kill(await postgresPid(), 'SIGKILL');
    const times = (text: string) => service.output().split(text).length - 1;
    await vi.waitFor(() => expect(times('PostgreSQL did not start')).toBeGreaterThan(3), 90_000);
    expect(times('PostgreSQL did not start; retrying')).toBe(1);
    expect((await fetch(`${url}/v2/rates`)).status).toBe(200);
    // A probe is kept for a second.
    const degraded = { code: 200, status: 'degraded', database: 'down' };
    await vi.waitFor(async () => expect(await ready(url)).toMatchObject(degraded), 60_000);

    await rename(`${control}.away`, control);
    await vi.waitFor(async () => expect(await ready(url)).toMatchObject({ database: 'up' }), 60_000);
    expect(service.output()).toContain('PostgreSQL is running again');
    // A Ctrl-C on a terminal reaches the parent and its children, all at once.
    process.kill(-pidOf(service), 'SIGINT');
    expect((await service.ended).code).toBe(0);
  });
});
