import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { hangmanRoutes } from '../../../src/hangman/hangman-routes.js';
import { errorBody, HttpError } from '../../../src/http/errors.js';
import type { Route } from '../../../src/http/route.js';
import { propertyRuns } from '../../support/property-runs.js';
import { publish } from '../../support/rates.js';
import { sharedApi } from '../../support/shared.js';
import { relayingContext, relayRoutes } from '../utilities/support.js';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description?: string;
  schema: { description?: string };
  example?: unknown;
}

/** A parameter of a route. */
type ErrorBody = ReturnType<typeof errorBody>;
type Asked = Awaited<ReturnType<typeof parametersOfAll>>[number];

let url: string;
let all: readonly Asked[];
beforeAll(async () => {
  ({ url } = await sharedApi(publish('ECB', ['EUR/USD'], '2026-03-02', '2026-03-13'), {
    now: '2026-03-20T18:00:00Z',
  }));
  all = await parametersOfAll();
});

/** Those that ask others are not asked further than for their query. */
const relays: readonly Route[] = relayRoutes(relayingContext());

const routeAt = (routes: readonly Route[], target: string) =>
  routes.find((route) => route.path === target.split('?')[0] && route.method === 'get');

/** The error of a route for its query; undefined where it understands it. */
function errorOf(route: Route | undefined, target: string): ErrorBody | undefined {
  try {
    route?.query?.read(target);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return errorBody(error);
    throw error;
  }
}

async function errorAt(target: string): Promise<ErrorBody | undefined> {
  const relay = routeAt(relays, target);
  if (relay) return errorOf(relay, target);
  const response = await fetch(url + target, { headers: { accept: 'application/json' } });
  const text = await response.text();
  if (response.ok) return undefined;
  const body = JSON.parse(text) as ErrorBody;
  return target.startsWith('/sdmx/') ? commonBody(body) : body;
}

/** The errors of SDMX in the form of all others: what names no parameter has the message alone. */
function commonBody({ errors = [], ...body }: ErrorBody): ErrorBody {
  const faults = (errors as readonly { parameter?: string; detail?: string }[]).flatMap(
    ({ parameter, detail = '' }) => (parameter === undefined ? [] : [{ parameter, message: detail }]),
  );
  return faults.length > 0 ? { ...body, errors: faults } : body;
}

/** Every parameter of the query of every route in the document of the service. */
async function parametersOfAll() {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: { tags: string[]; parameters?: Parameter[] } }>;
  };
  return Object.entries(paths).flatMap(([template, { get }]) => {
    // The errors of dialects are those of the services that they stand for.
    if (/^\/(admin|$)/.test(template) || get?.tags.includes('Dialects')) return [];
    const parameters = get?.parameters ?? [];
    const example = (_: string, name: string) => `${parameters.find((one) => one.name === name)?.example}`;
    const path = template.replaceAll(/\{(\w+)\}/g, example);
    const inQuery = parameters.filter((one) => one.in === 'query');
    return inQuery.map(({ name, description = '', schema }) => ({
      ...{ name, at: template },
      isList:
        template.startsWith('/v2/') && `${description} ${schema.description}`.includes('separated by commas'),
      /** The error for a value; undefined where the value is taken. */
      errorFor(value: string | undefined) {
        const others = inQuery.filter((one) => one.required && one.name !== name);
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

it('a wrong value of any parameter is refused by the name of the parameter, in words of the service', async () => {
  expect(all.length).toBeGreaterThan(80);
  let [tried, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...all), value, async (parameter, given) => {
      tried++;
      const error = await parameter.errorFor(given);
      if (!error) return;
      refused++;
      expect(error.status).toBeGreaterThanOrEqual(400);
      expect(error.status).toBeLessThan(500);
      if (error.errors) check(parameter, error);
    }),
    propertyRuns(20_000),
  );
  expect(refused / tried).toBeGreaterThan(0.3);
});

it('a required parameter that is missing is named', async () => {
  const missing: string[] = [];
  for (const parameter of all) {
    const error = await parameter.errorFor(undefined);
    if (!error) continue;
    check(parameter, error);
    expect(error.message).toBe(`${parameter.name} is required`);
    missing.push(`${parameter.at} ${parameter.name}`);
  }
  expect(missing.toSorted()).toEqual([
    ...['/detect/location lat', '/detect/location lon', '/sg/bus-arrivals code'],
    ...['/translate/text text', '/translate/text to', '/v2/convert/{base}/{quote} amount'],
    ...['/weather/current lat', '/weather/current lon', '/weather/search q'],
  ]);
});

it('a list with nothing between its commas is refused by name, and does not mean all', async () => {
  const lists = all.filter(({ isList }) => isList);
  const names = ['quotes', 'providers', 'exclude', 'expand', 'status'];
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(lists.length).toBeGreaterThan(12);
  for (const { name, at, errorFor } of lists) {
    for (const empty of [',', ' ,, '])
      expect([at, await errorFor(empty)]).toMatchObject([at, { status: 422, errors: [{ parameter: name }] }]);
    expect([at, name, await errorFor('')]).toEqual([at, name, undefined]);
  }
});

const utilities = [...relays, ...hangmanRoutes()];

/** Names of the parameters that a utility refuses with a 400; none where it understands its query. */
function refusedAt(target: string): string[] {
  const { status = 400, errors = [] } = errorOf(routeAt(utilities, target), target) ?? {};
  expect(status).toBe(400);
  for (const { message } of errors) expect(message).not.toMatch(/<|kelvin|East/);
  return errors.map(({ parameter }) => parameter);
}

const EMOJI = '%F0%9F%98%80';

it.each([
  ['/weather/search', 'q', ['', '?q=%20%20', '?q[]=a&q[]=b', '?q=%ED%A0%80', '?q=%ZZ', '?q=a&q=']],
  ['/weather/search?q=', 'q', ['a'.repeat(101), EMOJI.repeat(101), 'a'.repeat(100_000)]],
  ['/weather/search?q=a&countryCode=', 'countryCode', ['DEU', '%EF%BC%A4%EF%BC%A5']],
  ['/weather/search?q=a&count=', 'count', ['0', '101', '1.5', 'ten']],
  ['/weather/current?lat=1', 'lon', ['', '&lon=-180.1']],
  ['/weather/current?lon=1&lat=', 'lat', ['', '90.0001', '1e309', 'NaN', '1,2', `1.${'1'.repeat(100_000)}`]],
  ['/weather/current?lat=1&lon=1&units=', 'units', ['kelvin']],
  ['/sg/bus-arrivals?code=', 'code', ['', '1234', '123456', '12345%0A', '12345&code=12345', '1234%EF%BC%95']],
  ['/detect/location', 'lat', ['?lon=1', '?lat=<b>&lon=1']],
  ['/detect/location?lat=1', 'lon', ['', '&lon=East']],
  ['/translate/text?to=it&text=', 'text', ['', '%0A', 'a%00', 'a'.repeat(5_001), EMOJI.repeat(5_001)]],
  ['/translate/text?text=a', 'to', ['', '&to=zz', '&to=%3Cb%3E', `&to=${'en-'.repeat(10_000)}`, '&to=auto']],
  ['/translate/text?text=a&to=it&from=', 'from', ['qq']],
  ['/random/hangman?game=', 'game', ['chess', 'hangman&game=hangman']],
  ['/random/hangman', 'exclude', ['?exclude[]=piano']],
])('%s is refused by the name of %s', (path, parameter, queries) => {
  for (const query of queries)
    expect([query.slice(0, 80), refusedAt(path + query)]).toEqual([query.slice(0, 80), [parameter]]);
});

it('all parameters at fault are named, and none that there are not or that are empty', () => {
  expect(refusedAt('/weather/current?lat=x&lon=y&units=z')).toEqual(['lat', 'lon', 'units']);
  for (const query of ['colour=red', '%ZZ=1&x=%ZZ', 'game=&exclude=', 'game', '__proto__=1&toString[]=3'])
    expect([query, refusedAt(`/random/hangman?${query}`)]).toEqual([query, []]);
  for (const comma of [',', '%2C'])
    expect(refusedAt(`/random/hangman?exclude=${comma.repeat(10_000)}`)).toEqual([]);
});
