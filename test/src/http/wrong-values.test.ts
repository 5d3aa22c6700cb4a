import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { type ErrorBody, errorBody, HttpError } from '../../../src/http/errors.js';
import type { Route } from '../../../src/http/route.js';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { startApi, type TestApi } from '../../support/api.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { propertyRuns } from '../../support/property-runs.js';
import { publish, storeRows } from '../../support/rates.js';
import { relayingContext } from '../utilities/support.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  example?: unknown;
}

/** A parameter of a route, and what its error is for a value; undefined where the value is taken. */
interface Asked {
  name: string;
  at: string;
  errorFor(value: string | undefined): Promise<ErrorBody | undefined>;
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

/** Those that ask others are not asked further than for their query. */
const relays: readonly Route[] = [weatherRoutes, busRoutes, addressRoutes, translateRoutes].flatMap(
  (create) => create(relayingContext()),
);

async function errorAt(target: string): Promise<ErrorBody | undefined> {
  const path = target.split('?')[0];
  const relay = relays.find((route) => route.path === path && route.method === 'get');
  if (!relay) {
    const response = await fetch(api.url + target, { headers: { accept: 'application/json' } });
    const text = await response.text();
    if (response.ok) return undefined;
    const body = JSON.parse(text) as ErrorBody;
    return target.startsWith('/sdmx/') ? commonBody(body) : body;
  }
  try {
    relay.query?.read(target);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return errorBody(error);
    throw error;
  }
}

/** The errors of SDMX in the form of all others: what names no parameter is told by the message alone. */
function commonBody({ errors = [], ...body }: ErrorBody): ErrorBody {
  const faults = (errors as readonly { parameter?: string; detail?: string }[]).flatMap(
    ({ parameter, detail = '' }) => (parameter === undefined ? [] : [{ parameter, message: detail }]),
  );
  return faults.length > 0 ? { ...body, errors: faults } : body;
}

/** Every parameter of the query of every route in the document of the service. */
async function parametersOfAll(): Promise<Asked[]> {
  const { paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { tags: string[]; parameters?: Parameter[] } }>;
  };
  return Object.entries(paths).flatMap(([template, { get }]) => {
    // The errors of dialects are those of the services that they stand for.
    if (/^\/(admin|$)/.test(template) || get?.tags.includes('Dialects')) return [];
    const parameters = get?.parameters ?? [];
    const path = parameters.reduce(
      (text, { name, example }) => text.replace(`{${name}}`, `${example}`),
      template,
    );
    return parameters
      .filter((one) => one.in === 'query')
      .map(({ name }) => ({
        name,
        at: template,
        errorFor(value) {
          const others = parameters.filter((one) => one.in === 'query' && one.required && one.name !== name);
          const query = others.map((one) => `${one.name}=${encodeURIComponent(`${one.example}`)}`);
          if (value !== undefined) query.push(`${name}=${encodeURIComponent(value)}`);
          return errorAt(`${path}?${query.join('&')}`);
        },
      }));
  });
}

const word = fc.string({ unit: fc.constantFrom(...'abZÜ09-./:,;=+$%&? \u0000\n"<'), maxLength: 60 });
const value = fc.oneof(
  word,
  fc.constantFrom('EU', 'USD', 'latest', '2026-13-01', '02.03.2026', '1e400', '-0', 'receipt', '__proto__'),
  fc.array(word, { maxLength: 20 }).map((words) => words.join()),
  word.map((text) => text.repeat(200)),
);
const WORDS_OF_THE_LIBRARY = /invalid input|expected|received|invalid option|too (small|big)/i;
/** The contract has these words for it: the parameter is named beside them. */
const FIXED = /^invalid (currency|provider): /;

function check({ name }: Asked, { message, errors = [] }: ErrorBody): void {
  expect(message).not.toMatch(WORDS_OF_THE_LIBRARY);
  expect(message.length).toBeLessThan(700);
  for (const fault of errors) {
    expect(fault.parameter).toBe(name);
    if (!FIXED.test(fault.message)) expect(fault.message).toContain(name);
  }
}

describe('a wrong value of any parameter', () => {
  it('is told by the name of the parameter, in words of the service', async () => {
    const all = await parametersOfAll();
    expect(all.length).toBeGreaterThan(80);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), value, async (parameter, given) => {
        const error = await parameter.errorFor(given);
        if (!error) return;
        refused++;
        expect(error.status).toBeGreaterThanOrEqual(400);
        expect(error.status).toBeLessThan(500);
        if (error.errors) check(parameter, error);
      }),
      propertyRuns(20_000),
    );
    expect(refused).toBeGreaterThan(500);
  }, 120_000);

  it('or none where one is required, too', async () => {
    const missing: string[] = [];
    for (const parameter of await parametersOfAll()) {
      const error = await parameter.errorFor(undefined);
      if (!error) continue;
      check(parameter, error);
      expect(error.message).toBe(`${parameter.name} is required`);
      missing.push(`${parameter.at} ${parameter.name}`);
    }
    expect(missing.toSorted()).toEqual([
      '/detect/location lat',
      '/detect/location lon',
      '/sg/bus-arrivals code',
      '/translate/text text',
      '/translate/text to',
      '/v2/convert/{base}/{quote} amount',
      '/weather/current lat',
      '/weather/current lon',
      '/weather/search q',
    ]);
  });
});
