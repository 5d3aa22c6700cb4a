import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { bootstrap } from '../../worker/import/bootstrap.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';

// As on a first start, on any day after the newest of the rates that ship with the project.
const clock = () => new Date('2026-06-01T12:00:00Z');
const ROW = /^\| `(\w+) (\S+)`(?: with `([^`]+)`)?(?: as `([^`]+)`)? \| (\d{3}) \| `([^`]+)` \|$/gm;
const text = readFileSync(join(projectFolder, 'docs/errors.md'), 'utf8');
const rows = [...text.matchAll(ROW)].map(
  ([, method = '', target = '', body, type = 'application/json', status, message = '']) => ({
    method,
    target,
    body,
    type,
    status: Number(status),
    message,
  }),
);

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, { content?: unknown }> }>>;
}

describe('the errors of the documentation', () => {
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

  it('are all rows of its tables that have a request', () => {
    expect(rows).toHaveLength(text.match(/^\| `[A-Z]+ /gm)?.length ?? 0);
    expect(rows.length).toBeGreaterThan(100);
  });

  it.each(rows)('$method $target $body', async ({ method, target, body, type, status, message }) => {
    const response = await fetch(api.url + target, {
      method,
      redirect: 'manual',
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    const said = (await response.json()) as { message: string; error?: string } | { error: string }[];
    const [line] = Array.isArray(said) ? said : [];
    const found = Array.isArray(said) ? line?.error : said.message;
    expect([response.status, found]).toEqual([status, message]);
  });

  it('have those of the description of the API', async () => {
    const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as Described;
    const examples = Object.entries(paths)
      // That there is no address at a place is known from upstream.
      .filter(([path]) => !/^\/(admin|detect)\//.test(path))
      .flatMap(([, operations]) => Object.values(operations))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => ['400', '404', '405', '415', '422'].includes(status))
      .map(
        ([, { content }]) =>
          (content as { 'application/json': { example: { message: string } } })['application/json'].example
            .message,
      );
    expect(examples.length).toBeGreaterThan(20);
    const messages = rows.map(({ message }) => message);
    expect(examples.filter((message) => !messages.includes(message))).toEqual([]);
  });
});
