import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { openQueues } from '../../../core/queues/queues.js';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.js';
import { buildService, buildWithFewRates, type Service, startService } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';

const role = `program_${randomBytes(6).toString('hex')}`;

/** The statements of the documentation: those for what is made later, and those for what is there. */
const [GRANT_LATER = '', GRANT = ''] = [
  ...readFileSync(join(projectFolder, 'docs', 'upgrading.md'), 'utf8').matchAll(/^```sql\n(.*?)^```$/gms),
].map(([, statements = '']) => statements.replaceAll(/\bprogram\b/g, role));

let database: TestDatabase;
let service: Service | undefined;
beforeEach(async () => {
  [database] = await Promise.all([emptyDatabase(), buildService()]);
  service = undefined;
});
afterEach(async () => {
  service?.process.kill('SIGTERM');
  await service?.ended;
  const { rowCount } = await database.pool.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 1) await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  await database.close();
});

function urlOfRole(): string {
  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  return url.toString();
}

test('programs whose user may change nothing but rows wait for the command migrate, and work after it', async () => {
  await database.pool.query(GRANT_LATER);
  const variables = { DATABASE_URL: urlOfRole(), MIGRATE: 'off' };
  service = startService({ ...variables, BOOTSTRAP: 'on' }, await buildWithFewRates());
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

test('such a user needs no rights to create anything in a database that has its tables', async () => {
  expect(await cli(['migrate'], { variables: { DATABASE_URL: database.url } })).toMatchObject({ code: 0 });
  await database.pool.query(GRANT_LATER + GRANT);
  for (const MIGRATE of ['on', 'off']) {
    const variables = { DATABASE_URL: urlOfRole(), MIGRATE };
    const csv = `provider,date,base,quote,rate\nECB,2026-03-02,EUR,USD,1.25\n`;
    expect(await cli(['rates', 'import', '-'], { variables, stdin: csv })).toMatchObject({ code: 0 });
    const store = { databaseUrl: urlOfRole(), migrate: MIGRATE === 'on' };
    const queues = await openQueues(store, { log: pino({ level: 'silent' }) });
    await queues.tryWrite();
    await queues.close();
  }
});

test('a program that may not migrate names the tables of the queues where they are missing', async () => {
  const opening = openQueues(
    { databaseUrl: database.url, migrate: false },
    { log: pino({ level: 'silent' }) },
  );
  await expect(opening).rejects.toThrow('lacks tables of the queues, and MIGRATE is off: run the command');
});
