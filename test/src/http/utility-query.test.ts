import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { hangmanRoutes } from '../../../src/hangman/hangman-routes.js';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { processorMs } from '../../support/processor-time.js';
import { refusal, relayingContext, serve } from '../utilities/support.js';

let stub: HttpStub;
let api: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  stub = await httpStub({ '*': answer('an upstream that must not be asked', 500) });
  const context = relayingContext({
    variables: {
      OPEN_METEO_URL: stub.url,
      OPEN_METEO_GEOCODING_URL: stub.url,
      BUS_ARRIVALS_URL: stub.url,
      GEOCODER_URL: stub.url,
      OPENCAGE_API_KEY: 'key',
      TRANSLATE_URL: stub.url,
    },
  });
  const capabilities = [weatherRoutes, busRoutes, addressRoutes, translateRoutes];
  api = await serve([...capabilities.flatMap((create) => create(context)), ...hangmanRoutes()]);
});
afterAll(async () => {
  await api.close();
  await stub.close();
});

const many = (count: number, text: string) => text.repeat(count);

const cases: [string, path: string, parameter: string][] = [
  ['nothing given', '/weather/search', 'q'],
  ['an empty value', '/weather/search?q=', 'q'],
  ['blanks', '/weather/search?q=%20%20', 'q'],
  ['101 characters', `/weather/search?q=${many(101, 'a')}`, 'q'],
  ['101 emojis', `/weather/search?q=${many(101, '%F0%9F%98%80')}`, 'q'],
  ['100,000 characters', `/weather/search?q=${many(100_000, 'a')}`, 'q'],
  ['NUL', '/weather/search?q=a%00b', 'q'],
  ['a lone surrogate', '/weather/search?q=%ED%A0%80', 'q'],
  ['overlong UTF-8', '/weather/search?q=%C0%AF', 'q'],
  ['percent-encoding that is none', '/weather/search?q=%ZZ', 'q'],
  ['percent-encoding cut off', '/weather/search?q=%E0%A4', 'q'],
  ['a list', '/weather/search?q[]=a&q[]=b', 'q'],
  ['an encoded list', '/weather/search?q%5B%5D=a', 'q'],
  ['an object', '/weather/search?q[a]=b', 'q'],
  ['twice', '/weather/search?q=a&q=b', 'q'],
  ['twice, once empty', '/weather/search?q=a&q=', 'q'],
  ['three letters', '/weather/search?q=a&countryCode=DEU', 'countryCode'],
  ['letters that are none', '/weather/search?q=a&countryCode=%EF%BC%A4%EF%BC%A5', 'countryCode'],
  ['no count', '/weather/search?q=a&count=0', 'count'],
  ['too large a count', '/weather/search?q=a&count=101', 'count'],
  ['half a count', '/weather/search?q=a&count=1.5', 'count'],
  ['a count of words', '/weather/search?q=a&count=ten', 'count'],
  ['no latitude', '/weather/current?lon=1', 'lat'],
  ['no longitude', '/weather/current?lat=1', 'lon'],
  ['beyond the pole', '/weather/current?lat=90.0001&lon=1', 'lat'],
  ['beyond the date line', '/weather/current?lat=1&lon=-180.1', 'lon'],
  ['infinity', '/weather/current?lat=1e309&lon=1', 'lat'],
  ['infinity in words', '/weather/current?lat=Infinity&lon=1', 'lat'],
  ['not a number', '/weather/current?lat=NaN&lon=1', 'lat'],
  ['blanks around', '/weather/current?lat=%2012%20&lon=1', 'lat'],
  ['hexadecimal', '/weather/current?lat=0x10&lon=1', 'lat'],
  ['a decimal comma', '/weather/current?lat=1,5&lon=1', 'lat'],
  ['two numbers', '/weather/current?lat=1,2&lon=1', 'lat'],
  ['full-width digits', '/weather/current?lat=%EF%BC%91&lon=1', 'lat'],
  ['a million digits', `/weather/current?lat=1.${many(100_000, '1')}&lon=1`, 'lat'],
  ['other units', '/weather/current?lat=1&lon=1&units=kelvin', 'units'],
  ['no code', '/sg/bus-arrivals', 'code'],
  ['four digits', '/sg/bus-arrivals?code=1234', 'code'],
  ['six digits', '/sg/bus-arrivals?code=123456', 'code'],
  ['full-width digits', '/sg/bus-arrivals?code=%EF%BC%91%EF%BC%92%EF%BC%93%EF%BC%94%EF%BC%95', 'code'],
  ['digits and a line end', '/sg/bus-arrivals?code=12345%0A', 'code'],
  ['code twice', '/sg/bus-arrivals?code=12345&code=12345', 'code'],
  ['latitude missing', '/detect/location?lon=1', 'lat'],
  ['longitude in words', '/detect/location?lat=1&lon=east', 'lon'],
  ['no text', '/translate/text?to=it', 'text'],
  ['blank text', '/translate/text?text=%0A&to=it', 'text'],
  ['5,001 characters', `/translate/text?text=${many(5_001, 'a')}&to=it`, 'text'],
  ['5,001 emojis', `/translate/text?text=${many(5_001, '%F0%9F%98%80')}&to=it`, 'text'],
  ['NUL', '/translate/text?text=a%00&to=it', 'text'],
  ['no language', '/translate/text?text=a', 'to'],
  ['no such language', '/translate/text?text=a&to=zz', 'to'],
  ['no tag at all', '/translate/text?text=a&to=%3Cb%3E', 'to'],
  ['a long tag', `/translate/text?text=a&to=${many(10_000, 'en-')}`, 'to'],
  ['to be detected', '/translate/text?text=a&to=auto', 'to'],
  ['from no such language', '/translate/text?text=a&from=qq&to=it', 'from'],
  ['another game', '/random/hangman?game=chess', 'game'],
  ['a game twice', '/random/hangman?game=hangman&game=hangman', 'game'],
  ['exclude as a list', '/random/hangman?exclude[]=piano', 'exclude'],
];

describe('a parameter at fault is named by a 400', () => {
  it.each(cases)('%s: %.60s → %s', async (_, path, parameter) => {
    const started = processorMs();
    expect(await api.get(path)).toMatchObject(refusal(parameter));
    expect(processorMs() - started).toBeLessThan(1_000);
  });

  it('and never shown back', async () => {
    const { body } = await api.get('/weather/current?lat=<script>&lon=1');
    expect(JSON.stringify(body)).not.toContain('script');
  });

  it('with all others at fault', async () => {
    const { body } = await api.get('/weather/current?lat=x&lon=y&units=z');
    expect(body.errors.map((fault: { parameter: string }) => fault.parameter)).toEqual([
      'lat',
      'lon',
      'units',
    ]);
  });

  it('without a request to an upstream', () => {
    expect(stub.requests).toEqual([]);
  });
});

describe('what is no fault', () => {
  it.each([
    ['an unknown parameter', '/random/hangman?colour=red'],
    ['an unknown one that can not be decoded', '/random/hangman?%ZZ=1&x=%ZZ'],
    ['an empty value', '/random/hangman?game=&exclude='],
    ['10,000 commas', `/random/hangman?exclude=${many(10_000, ',')}`],
    ['10,000 encoded commas', `/random/hangman?exclude=${many(10_000, '%2C')}`],
    ['a parameter without a value', '/random/hangman?game'],
    ['names that objects are born with', '/random/hangman?__proto__=1&constructor=2&toString[]=3'],
  ])('%s', async (_, path) => {
    expect(await api.get(path)).toMatchObject({ status: 200 });
  });
});
