import { describe, expect, it } from 'vitest';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { busExample, busReply } from '../../../src/bus/schema.js';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { locationExample, locationReply } from '../../../src/geocoding/schema.js';
import { hangmanRoutes } from '../../../src/hangman/hangman-routes.js';
import { createApiDocument } from '../../../src/http/openapi.js';
import { translateExample, translateReply } from '../../../src/translate/schema.js';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { currentExample, currentReply } from '../../../src/weather/current.js';
import { searchExample, searchReply } from '../../../src/weather/search.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { relayingContext } from './support.js';

const context = relayingContext();
const capabilities = [weatherRoutes, busRoutes, addressRoutes, translateRoutes];
const routes = [...capabilities.flatMap((create) => create(context)), ...hangmanRoutes()];
const { paths = {} } = createApiDocument(routes);

/** The parameters of a route with their types; `?` marks those that may be left out. */
const parametersOf = (path: string) =>
  (paths[path]?.get?.parameters ?? []).map((parameter) => {
    if ('$ref' in parameter) throw new Error('a reference');
    const { type } = parameter.schema as { type?: string };
    return `${parameter.name}${parameter.required ? '' : '?'}: ${type}`;
  });

describe('the description of the utility routes', () => {
  it.each([
    ['/weather/search', 'q: string, countryCode?: string, lang?: string, count?: integer', '200,400,429,502'],
    ['/weather/current', 'lat: number, lon: number, units?: string', '200,400,429,502'],
    ['/sg/bus-arrivals', 'code: string', '200,400,429,502'],
    ['/detect/location', 'lat: number, lon: number', '200,400,404,429,500,502'],
    ['/translate/text', 'text: string, from?: string, to: string', '200,400,429,502'],
    [
      '/random/hangman',
      'game?: string, exclude?: string, minLength?: integer, maxLength?: integer',
      '200,400,429',
    ],
  ])('%s has parameters, and responses with an example each', (path, parameters, statuses) => {
    expect(parametersOf(path).join(', ')).toBe(parameters);
    const responses = paths[path]?.get?.responses ?? {};
    expect(Object.keys(responses).join()).toBe(statuses);
    for (const response of Object.values(responses)) {
      expect(response.content['application/json'].example).toBeDefined();
    }
  });

  it.each([
    ['place search', searchReply, searchExample],
    ['weather', currentReply, currentExample],
    ['buses', busReply, busExample],
    ['address', locationReply, locationExample],
    ['translation', translateReply, translateExample],
  ])('%s: the example is one', (_, schema, example) => {
    expect(schema.strict().parse(example)).toEqual(example);
  });
});
