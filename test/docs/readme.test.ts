import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrap } from '../../worker/import/bootstrap.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { curlMissing, examplesOf, run } from './examples.js';

// As on a first start, on any day after the newest of the rates that ship with the project.
const clock = () => new Date('2026-06-01T12:00:00Z');
const examples = ['README.md', 'docs/deployment.md', 'docs/performance.md'].flatMap((file) =>
  examplesOf(file).map((example) => ({ file, ...example })),
);

describe.skipIf(curlMissing)('the examples of rates', () => {
  let database: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    database = await testDatabase();
    await bootstrap(database, pino({ level: 'silent' }), { clock });
    api = await startApi(database, { clock });
  }, 180_000);
  afterAll(async () => {
    await api?.close();
    await database?.close();
  });

  it('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  it.each(examples)('$file: $command', async ({ command, response }) => {
    const real = await run(command, api.url);
    if (response === undefined) expect(JSON.parse(real)).not.toEqual([]);
    else expect(real.trimEnd()).toBe(response.trimEnd());
  });
});
