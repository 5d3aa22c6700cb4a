import { once } from 'node:events';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from '../../support/postgres.js';
import { databaseWith, someRates } from '../../support/rates.js';
import { buildService, type StartedProgram, startProgram } from '../../support/service.js';

let database: TestDatabase;
const started: StartedProgram[] = [];
beforeAll(buildService);
afterEach(async () => {
  for (const { process: program, ended } of started.splice(0)) {
    program.kill('SIGTERM');
    await ended;
  }
  await database.close();
});

function start(entry: string): StartedProgram {
  const program = startProgram(entry, { DATABASE_URL: database.url, READ_ONLY: 'on', ADMIN_TOKEN: TOKEN });
  started.push(program);
  return program;
}

const TOKEN = 'a-token-of-an-operator';

it('an API serves from a database that can only be read, and refuses what would change it', async () => {
  database = await databaseWith(someRates('2026-03-01'));
  const { pathname } = new URL(database.url);
  await database.pool.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
  const api = start('src/main.js');
  const url = await listeningOf(api);
  const rates = await fetch(`${url}/v2/rates?date=2026-03-20&base=EUR&quotes=USD`);
  expect([rates.status, ((await rates.json()) as unknown[]).length]).toEqual([200, 1]);
  expect((await fetch(`${url}/v2/rates?providers=ECB&date=2026-03-02`)).status).toBe(200);
  const asked = await fetch(`${url}/admin/providers/ECB/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: '{"from":"2026-03-02"}',
  });
  expect(asked.status).toBe(503);
  expect(asked.headers.get('retry-after')).not.toBeNull();
  expect(api.output()).not.toMatch(/"level":[56]0/);
  const { rows } = await database.pool.query('select count(*)::int as phrases from refusal_phrases');
  expect(rows).toEqual([{ phrases: 0 }]);

  const worker = await start('worker/main.js').ended;
  expect(worker).toMatchObject({ code: 78, stderr: expect.stringContaining('READ_ONLY: must be off') });
});

async function listeningOf({ process: program, output }: StartedProgram): Promise<string> {
  for (;;) {
    const url = /"url":"([^"]+)","msg":"listening/.exec(output())?.[1];
    if (url) return url;
    if (program.stdout) await once(program.stdout, 'data');
  }
}
