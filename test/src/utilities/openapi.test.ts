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

const parametersOf = (path: string) =>
  (paths[path]?.get?.parameters ?? []).map((parameter) => {
    if ('$ref' in parameter) throw new Error('a reference');
    return [parameter.name, parameter.required, (parameter.schema as { type?: unknown }).type];
  });

it.each(routes.filter(({ limit }) => limit).map(({ path }) => path))(
  '%s says that it has a limit',
  (path) => {
    expect(paths[path]?.get?.responses).toHaveProperty('429');
  },
);

describe('the description of the utility routes', () => {
  it.each([
    [
      '/weather/search',
      [
        ['q', true, 'string'],
        ['countryCode', false, 'string'],
        ['lang', false, 'string'],
        ['count', false, 'integer'],
      ],
    ],
    [
      '/weather/current',
      [
        ['lat', true, 'number'],
        ['lon', true, 'number'],
        ['units', false, 'string'],
      ],
    ],
    ['/sg/bus-arrivals', [['code', true, 'string']]],
    [
      '/detect/location',
      [
        ['lat', true, 'number'],
        ['lon', true, 'number'],
      ],
    ],
    [
      '/translate/text',
      [
        ['text', true, 'string'],
        ['from', false, 'string'],
        ['to', true, 'string'],
      ],
    ],
    [
      '/random/hangman',
      [
        ['game', false, 'string'],
        ['exclude', false, 'string'],
        ['minLength', false, 'integer'],
        ['maxLength', false, 'integer'],
      ],
    ],
  ])('%s: parameters', (path, expected) => {
    expect(parametersOf(path)).toEqual(expected);
  });

  it.each([
    ['/weather/search', ['200', '400', '429', '502']],
    ['/weather/current', ['200', '400', '429', '502']],
    ['/sg/bus-arrivals', ['200', '400', '429', '502']],
    ['/detect/location', ['200', '400', '404', '429', '500', '502']],
    ['/translate/text', ['200', '400', '429', '502']],
    ['/random/hangman', ['200', '400', '429']],
  ])('%s: answers, each with an example', (path, statuses) => {
    const responses = paths[path]?.get?.responses ?? {};
    expect(Object.keys(responses)).toEqual(statuses);
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
