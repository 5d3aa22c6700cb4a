import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { sharedApi } from '../../support/shared.js';

// What linters and generators of clients ask of the document of the service.

interface Example {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: (Example & { name: string })[];
  requestBody?: { content: Record<string, Example> };
  responses: Record<string, { description: string; content?: Record<string, Example> }>;
}

let whole: {
  info: { license: object };
  security: unknown[];
  tags: { description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
let operations: [name: string, Operation][];

let url: string;

beforeAll(async () => {
  const variables = { ADMIN_TOKEN: 'a token for this test' };
  ({ url } = await sharedApi([], { now: '2026-03-20T12:00:00Z', variables }));
  whole = (await (await fetch(`${url}/openapi.json`)).json()) as typeof whole;
  operations = Object.entries(whole.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, one]): [string, Operation] => [`${method} ${path}`, one]),
  );
});

/** Of an example, why its schema does not accept it. */
function faultsOf(name: string, schema: object, examples: readonly unknown[]): string[] {
  const text = JSON.stringify({ ...schema, $defs: whole.components.schemas });
  const read = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  return examples.flatMap((example) => {
    const { error } = read.safeParse(example);
    return error ? [`${name}: ${JSON.stringify(example)}: ${error.message}`] : [];
  });
}

function examplesOf({ example, examples }: Example): unknown[] {
  return examples ? Object.values(examples).map(({ value }) => value) : [example];
}

/** The schemas within a value that have examples. */
function* schemasWithin(value: unknown): Generator<{ examples: unknown[] }> {
  if (typeof value !== 'object' || value === null) return;
  if ('examples' in value && Array.isArray(value.examples)) yield value as { examples: unknown[] };
  for (const member of Object.values(value)) yield* schemasWithin(member);
}

it('each operation has a summary, a tag, a success and a refusal', () => {
  for (const [name, { summary, tags, responses }] of operations) {
    expect(summary, name).toMatch(/^[A-Z].{4}/);
    expect(tags, name).not.toEqual([]);
    const statuses = Object.keys(responses);
    expect(statuses, name).toEqual(expect.arrayContaining([expect.stringMatching(/^2\d\d$/)]));
    expect(statuses, name).toEqual(expect.arrayContaining([expect.stringMatching(/^4\d\d$/)]));
    for (const { description } of Object.values(responses)) expect(description, name).toMatch(/.../);
  }
});

it('each operation has an id that code can use as a name, and no other has', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z\d]*$/.test(id))).toEqual([]);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

it('each parameter, body and response has examples, which keep to its schema', () => {
  for (const [name, { parameters = [], requestBody, responses }] of operations) {
    const answers = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
    for (const one of [...parameters, ...Object.values(requestBody?.content ?? {}), ...answers]) {
      const examples = examplesOf(one);
      expect(['', undefined], name).not.toContain(examples[0]);
      expect(faultsOf(name, one.schema, examples)).toEqual([]);
    }
  }
});

it.each([
  ['/fixer/2026-13-04', '/fixer/{date}', 200],
  ['/v2/rates?base=XXY', '/v2/rates', 422],
  ['/sdmx/data/EXR/D.XXY.EUR.SP00.A?format=jsondata', '/sdmx/data/{flow}/{key}/{provider}', 422],
])('the error of %s keeps to the schema of %s', async (path, described, status) => {
  const response = await fetch(url + path);
  expect(response.status).toBe(status);
  const schema = whole.paths[described]?.get?.responses[status]?.content?.['application/json']?.schema;
  expect(faultsOf(path, schema ?? expect.fail(), [await response.json()])).toEqual([]);
});

it('the examples within schemas keep to them', () => {
  const schemas = [...schemasWithin(whole)];
  expect(schemas.length).toBeGreaterThan(100);
  for (const schema of schemas) expect(faultsOf(JSON.stringify(schema), schema, schema.examples)).toEqual([]);
});

it('where a request fits two paths, one of them is the more specific, but for one of ExchangeRate-API', () => {
  const paths = Object.keys(whole.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}').split('/'));
  const isAmbiguous = (one: string[], other: string[]) => {
    const pairs = one.map((segment, at) => [segment, other[at]]).filter(([a, b]) => a !== b);
    const isClear = pairs.some((pair) => !pair.includes('{}')) || one.length !== other.length;
    return !isClear && pairs.some(([a]) => a === '{}') === pairs.some(([, b]) => b === '{}');
  };
  const found = paths.flatMap((one, at) =>
    paths.slice(0, at).flatMap((other) => (isAmbiguous(one, other) ? [other.join('/'), one.join('/')] : [])),
  );
  // That service has these paths.
  expect(found).toEqual(['/er/v6/latest/{}', '/er/v6/{}/codes']);
});

it('groups say what is in them, and every schema of the document is used', () => {
  expect(whole.tags.filter(({ description = '' }) => description.length < 10)).toEqual([]);
  const text = JSON.stringify(whole);
  const unused = (name: string) => !text.includes(`"#/components/schemas/${name}"`);
  expect(Object.keys(whole.components.schemas).filter(unused)).toEqual([]);
  expect(whole).toMatchObject({ info: { license: { identifier: 'MIT' } }, security: [] });
});
