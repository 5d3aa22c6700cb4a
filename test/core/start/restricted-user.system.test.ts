import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { openQueues } from '../../../core/queues/queues.js';
import { emptyDatabase, type TestDatabase } from '../../support/postgres.js';
import { buildWithFewRates, startService } from '../../support/service.js';
import { cli } from '../../worker/cli/support.js';
import { endWithTest } from '../support.js';

const role = `program_${randomBytes(6).toString('hex')}`;

/** The statements of the documentation: those for what is made later, and those for what is there. */
const [GRANT_LATER = '', GRANT = ''] = [
  ...readFileSync(join(projectFolder, 'docs', 'upgrading.md'), 'utf8').matchAll(/^```sql\n(.*?)^```$/gms),
].map(([, statements = '']) => statements.replaceAll(/\bprogram\b/g, role));

let database: TestDatabase;
/** The URL of a user that may change nothing but rows. */
let ofRole: string;
beforeEach(async () => {
  database = await emptyDatabase();
  ofRole = Object.assign(new URL(database.url), { username: role, password: 'secret' }).toString();
});
afterEach(async () => {
  await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  await database.close();
});

const migrate = () => cli(['migrate'], { variables: { DATABASE_URL: database.url } });
const ONE_RATE = 'provider,date,base,quote,rate\nECB,2026-03-02,EUR,USD,1.25\n';
const importOne = (variables: Record<string, string>) =>
  cli(['rates', 'import', '-'], { variables, stdin: ONE_RATE });

it('programs whose user may change nothing but rows wait for the command migrate, and work after it', async () => {
  await database.pool.query(GRANT_LATER);
  const variables = { DATABASE_URL: ofRole };
  const service = endWithTest(startService({ ...variables, BOOTSTRAP: 'on' }, await buildWithFewRates()));
  const waiting =
    /"reason":"the database lacks the migration \d+_initial, and its user may not create it \(permission denied for schema public\): run the command migrate as a user that may"/g;
  await vi.waitFor(() => expect(service.output().match(waiting)).toHaveLength(2));
  const refused = { code: 78, stderr: expect.stringContaining('run the command migrate') };
  expect(await cli(['digest'], { variables })).toMatchObject(refused);

  const done = { code: 0, stdout: expect.stringMatching(/_initial\n/), stderr: '' };
  expect(await migrate()).toMatchObject(done);
  const url = await service.listening;
  const read = async (path: string) => (await fetch(`${url}${path}`)).json();
  await vi.waitFor(async () => expect(((await read('/v2/rates')) as unknown[]).length).toBeGreaterThan(100));
  const ready = { status: 'ready', database: 'up', queue: 'up' };
  await vi.waitFor(async () => expect(await read('/health/ready')).toMatchObject(ready));
  expect(await importOne(variables)).toMatchObject({ code: 0 });
  expect(await migrate()).toMatchObject({ code: 0, stdout: '', stderr: 'the database is up to date\n' });
  service.process.kill('SIGTERM');
  await service.ended;
});

it('such a user needs no rights to create anything in a database that has its tables', async () => {
  expect(await migrate()).toMatchObject({ code: 0 });
  await database.pool.query(GRANT_LATER + GRANT);
  expect(await importOne({ DATABASE_URL: ofRole })).toMatchObject({ code: 0 });
  const queues = await openQueues({ databaseUrl: ofRole }, { log: pino({ level: 'silent' }) });
  await queues.tryWrite();
  await queues.close();
});
