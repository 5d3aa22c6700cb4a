import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../../support/api.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';
import { storeRows } from '../../../support/rates.js';

// This client names no licence, so it is fetched for the test and not kept among the project's packages.

const PACKAGES = ['open-exchange-rates@0.3.0', 'http-agent@0.1.2'];
const SCRIPT = `
  const oxr = require('open-exchange-rates');
  const [, , url, path] = process.argv;
  oxr.api_url = url;
  oxr.set({ app_id: 'KEY' }).load(path, (error) => {
    const { base, timestamp, rates } = oxr;
    console.log(JSON.stringify({ error: error && String(error), base, timestamp, rates }));
  });
`;
const run = promisify(execFile);

let database: TestDatabase;
let api: TestApi;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, [
    { provider: 'ECB', date: '2026-03-06', base: 'EUR', quote: 'USD', rate: 1.1561 },
    { provider: 'ECB', date: '2026-03-09', base: 'EUR', quote: 'USD', rate: 1.17 },
  ]);
  api = await startApi(database, { clock: () => new Date('2026-03-10T18:00:00Z') });
  folder = await mkdtemp(join(tmpdir(), 'almanac-client-'));
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: folder });
  await writeFile(join(folder, 'ask.cjs'), SCRIPT);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
  if (folder) await rm(folder, { recursive: true });
});

async function ask(path: string): Promise<object> {
  const { stdout } = await run(process.execPath, ['ask.cjs', `${api.url}/oxr/api/`, path], { cwd: folder });
  // It calls back again once its agent has stopped.
  return JSON.parse(stdout.split('\n')[0] ?? '') as object;
}

it('open-exchange-rates reads the newest rates', async () => {
  expect(await ask('latest.json')).toMatchObject({
    base: 'USD',
    timestamp: Date.parse('2026-03-09T23:59:59Z'),
    rates: { EUR: 0.854701, USD: 1 },
  });
});

it('open-exchange-rates reads the rates of a day', async () => {
  expect(await ask('historical/2026-03-06.json')).toMatchObject({ base: 'USD', rates: { EUR: 0.864977 } });
});
