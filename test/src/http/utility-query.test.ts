import { expect, it } from 'vitest';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { hangmanRoutes } from '../../../src/hangman/hangman-routes.js';
import { HttpError } from '../../../src/http/errors.js';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { relayingContext } from '../utilities/support.js';

const relays = [weatherRoutes, busRoutes, addressRoutes, translateRoutes];
const routes = [...relays.flatMap((create) => create(relayingContext())), ...hangmanRoutes()];

/** Names of the parameters that a utility refuses with a 400; none where it understands its query. */
function refused(target: string): string[] {
  const route = routes.find((one) => one.method === 'get' && one.path === target.split('?')[0]);
  try {
    route?.query?.read(target);
    return [];
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 400) throw error;
    for (const { message } of error.parameters) expect(message).not.toMatch(/<|kelvin|East/);
    return error.parameters.map(({ parameter }) => parameter);
  }
}

const EMOJI = '%F0%9F%98%80';

it.each([
  ['/weather/search', 'q', ['', '?q=%20%20', '?q[]=a&q[]=b', '?q=%ED%A0%80', '?q=%ZZ', '?q=a&q=']],
  ['/weather/search?q=', 'q', ['a'.repeat(101), EMOJI.repeat(101), 'a'.repeat(100_000)]],
  ['/weather/search?q=a&countryCode=', 'countryCode', ['DEU', '%EF%BC%A4%EF%BC%A5']],
  ['/weather/search?q=a&count=', 'count', ['0', '101', '1.5', 'ten']],
  ['/weather/current?lat=1', 'lon', ['', '&lon=-180.1']],
  [
    '/weather/current?lon=1',
    'lat',
    ['', '&lat=90.0001', '&lat=1e309', '&lat=Infinity', '&lat=NaN', '&lat=1,2'],
  ],
  [
    '/weather/current?lon=1&lat=',
    'lat',
    ['%2012%20', '0x10', '1,5', '%EF%BC%91', `1.${'1'.repeat(100_000)}`],
  ],
  ['/weather/current?lat=1&lon=1&units=', 'units', ['kelvin']],
  [
    '/sg/bus-arrivals',
    'code',
    ['', '?code=1234', '?code=123456', '?code=12345%0A', '?code=12345&code=12345'],
  ],
  ['/sg/bus-arrivals?code=', 'code', ['%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95']],
  ['/detect/location', 'lat', ['?lon=1', '?lat=<b>&lon=1']],
  ['/detect/location?lat=1', 'lon', ['', '&lon=East']],
  ['/translate/text?to=it&text=', 'text', ['', '%0A', 'a%00', 'a'.repeat(5_001), EMOJI.repeat(5_001)]],
  ['/translate/text?text=a', 'to', ['', '&to=zz', '&to=%3Cb%3E', `&to=${'en-'.repeat(10_000)}`, '&to=auto']],
  ['/translate/text?text=a&to=it&from=', 'from', ['qq']],
  ['/random/hangman?game=', 'game', ['chess', 'hangman&game=hangman']],
  ['/random/hangman', 'exclude', ['?exclude[]=piano']],
])('%s is refused by the name of %s', (path, parameter, queries) => {
  for (const query of queries)
    expect([query.slice(0, 80), refused(path + query)]).toEqual([query.slice(0, 80), [parameter]]);
});

it('all parameters at fault are named, and none that there are not or that are empty', () => {
  expect(refused('/weather/current?lat=x&lon=y&units=z')).toEqual(['lat', 'lon', 'units']);
  for (const query of ['colour=red', '%ZZ=1&x=%ZZ', 'game=&exclude=', 'game', '__proto__=1&toString[]=3'])
    expect([query, refused(`/random/hangman?${query}`)]).toEqual([query, []]);
  for (const comma of [',', '%2C'])
    expect(refused(`/random/hangman?exclude=${comma.repeat(10_000)}`)).toEqual([]);
});
