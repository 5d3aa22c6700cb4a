import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyDatabase, type TestDatabase } from '../support/postgres.js';
import { buildService, type Service, startService } from '../support/service.js';
import { cli } from '../worker/cli/support.js';

const role = `program_${randomBytes(6).toString('hex')}`;

let database: TestDatabase;
let service: Service | undefined;
beforeEach(async () => {
  [database] = await Promise.all([emptyDatabase(), buildService()]);
  // docs/upgrading.md has the same statements.
  await database.pool.query(`
    create role ${role} login password 'secret';
    alter default privileges grant select, insert, update, delete on tables to ${role};
    alter default privileges grant usage on sequences to ${role};
    alter default privileges grant usage on schemas to ${role}`);
});
afterEach(async () => {
  service?.process.kill('SIGTERM');
  await service?.ended;
  await database.pool.query(`drop owned by ${role}`);
  const { pool } = database;
  await pool.query(`drop role ${role}`);
  await database.close();
});

test('programs whose user may change nothing but rows wait for the command migrate, and work after it', async () => {
  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  const variables = { DATABASE_URL: url.toString(), MIGRATE: 'off' };
  service = startService({ ...variables, BOOTSTRAP: 'on' });
  const { output } = service;
  const waiting =
    /"reason":"the database lacks the migration \d+_initial, and MIGRATE is off: run the command migrate"/g;
  await vi.waitFor(() => expect(output().match(waiting)).toHaveLength(2), { timeout: 60_000, interval: 200 });
  expect(await cli(['digest'], { variables })).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('run the command migrate'),
  });

  const migrated = await cli(['migrate'], { variables: { DATABASE_URL: database.url, MIGRATE: 'off' } });
  expect(migrated).toMatchObject({ code: 0, stdout: expect.stringMatching(/_initial\n/), stderr: '' });
  const listening = await service.listening;
  await vi.waitFor(
    async () =>
      expect(((await (await fetch(`${listening}/v2/rates`)).json()) as unknown[]).length).toBeGreaterThan(
        100,
      ),
    { timeout: 90_000, interval: 500 },
  );
  await vi.waitFor(
    async () =>
      expect(await (await fetch(`${listening}/health/ready`)).json()).toMatchObject({
        status: 'ready',
        database: 'up',
        queue: 'up',
      }),
    { timeout: 60_000, interval: 200 },
  );
  const csv = 'provider,date,base,quote,rate\nECB,2026-03-02,EUR,USD,1.25\n';
  expect(await cli(['rates', 'import', '-'], { variables, stdin: csv })).toMatchObject({ code: 0 });
  expect(await cli(['migrate'], { variables: { DATABASE_URL: database.url } })).toMatchObject({
    code: 0,
    stdout: '',
    stderr: 'the database is up to date\n',
  });
});
