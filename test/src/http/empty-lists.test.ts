import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { publish, storeRows } from '../../support/rates.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description?: string;
  schema: { description?: string };
  example: string;
}

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  await storeRows(database, publish('ECB', ['EUR/USD'], '2026-03-02', '2026-03-13'));
  api = await startApi(database);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

/** Every parameter of `/v2` that is a list, with a target that gives it and what else must be given. */
async function listsOfRoutes(): Promise<{ name: string; targetWith(value: string): string }[]> {
  const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  };
  return Object.entries(paths).flatMap(([template, { get }]) => {
    const parameters = get?.parameters ?? [];
    const path = parameters.reduce(
      (filled, { name, example }) => filled.replace(`{${name}}`, example),
      template,
    );
    const needed = parameters.filter((one) => one.in === 'query' && one.required);
    const isList = ({ description = '', schema }: Parameter) =>
      `${description} ${schema.description}`.includes('separated by commas');
    return parameters
      .filter((one) => template.startsWith('/v2/') && isList(one))
      .map(({ name }) => ({
        name,
        targetWith: (value) =>
          `${path}?${[...needed.map((one) => `${one.name}=${one.example}`), `${name}=${value}`].join('&')}`,
      }));
  });
}

describe('a list with nothing between its commas', () => {
  it('is refused by name wherever there are lists, and does not mean all', async () => {
    const lists = await listsOfRoutes();
    expect(new Set(lists.map(({ name }) => name))).toEqual(
      new Set(['quotes', 'providers', 'exclude', 'expand', 'status']),
    );
    expect(lists.length).toBeGreaterThan(12);
    for (const { name, targetWith } of lists) {
      for (const value of [',', '%20,,%20']) {
        const response = await fetch(api.url + targetWith(value));
        const { errors } = (await response.json()) as { errors?: { parameter: string }[] };
        const found = [response.status, errors?.map(({ parameter }) => parameter)];
        expect([targetWith(value), ...found]).toEqual([targetWith(value), 422, [name]]);
      }
      expect([name, (await fetch(api.url + targetWith(''))).status]).toEqual([name, 200]);
    }
  });
});
