/** Small payloads made for the tests: of the form that each upstream has, with little more than what is read of it. */
import { answer } from '../../support/http-stub.js';

const HOUR_MS = 3_600_000;

/** Local times of a place eight hours east of UTC, from an instant on. */
function localTimes(start: string, count: number, stepMs: number, length: number): string[] {
  const first = Date.parse(start) + 8 * HOUR_MS;
  const instants = Array.from({ length: count }, (_, at) => new Date(first + at * stepMs));
  return instants.map((instant) => instant.toISOString().slice(0, length));
}

/** A forecast fetched at an instant: `hours` and `days` from then on, the n-th temperature being n. */
export function forecast(at = '2026-11-21T06:15:00Z', hours = 27, days = 8) {
  const hour = `${at.slice(0, 13)}:00:00Z`;
  const fill = (count: number, value: number): (number | null)[] =>
    Array.from({ length: count }, () => value);
  const days24 = localTimes(hour, days, 24 * HOUR_MS, 10);
  return {
    ...{ elevation: 16, utc_offset_seconds: 28800, timezone: 'Asia/Singapore' },
    current: {
      time: localTimes(at, 1, 0, 16)[0],
      ...{ temperature_2m: 27.4, relative_humidity_2m: 81, apparent_temperature: 32.1, cloud_cover: 92 },
      ...{ surface_pressure: 1007.2, wind_speed_10m: 9.4, wind_direction_10m: 211, is_day: 1 },
      ...{ wind_gusts_10m: 21.6 as number | null, weather_code: 53 as number | null },
    },
    minutely_15: {
      time: localTimes(new Date(Date.parse(at) - HOUR_MS).toISOString(), 5, HOUR_MS / 4, 16),
      precipitation: [9, 0.1, 0.2, 0, 0.3] as (number | null)[],
    },
    hourly: {
      time: localTimes(hour, hours, HOUR_MS, 16),
      temperature_2m: Array.from({ length: hours }, (_, n) => n) as (number | null)[],
      ...{ precipitation_probability: fill(hours, 40), precipitation: fill(hours, 0.2) },
      ...{ weather_code: fill(hours, 61), wind_speed_10m: fill(hours, 8.5), cloud_cover: fill(hours, 70) },
    },
    daily: {
      ...{ time: days24, weather_code: fill(days, 95) },
      ...{ temperature_2m_max: fill(days, 31.5), temperature_2m_min: fill(days, 24.8) },
      ...{ precipitation_sum: fill(days, 4.6), precipitation_probability_max: fill(days, 77) },
      wind_speed_10m_max: fill(days, 14.2),
    },
  };
}

const [vienna, virginia, hongKong] = [
  { country_code: 'AT', country: 'Austria', admin1: 'Vienna', timezone: 'Europe/Vienna' },
  { country_code: 'US', country: 'United States', admin1: 'Virginia', timezone: 'America/New_York' },
  { country_code: 'HK', timezone: 'Asia/Hong_Kong' },
];

/** Places as Open-Meteo finds them. */
export const places = {
  results: [
    {
      ...{ name: 'Vienna', latitude: 48.20849, longitude: 16.37208, elevation: 171 },
      ...{ population: 1691468, ...vienna },
    },
    {
      ...{ name: 'Vienna', latitude: 38.90122, longitude: -77.26526, elevation: 119 },
      ...{ population: 16522, ...virginia, admin2: 'Fairfax' },
    },
    // On the sea, in a territory that is no state: fields that are 0 or unknown are left out.
    { name: 'Vienna Court', latitude: 22.3, longitude: 114.2, ...hongKong },
    { name: 'Vienna Deep', latitude: 10, longitude: -150, elevation: -9999 },
  ],
  generationtime_ms: 0.4,
};

/** A bus of arrivelah. */
const arrival = (time: string, more: object = {}) => ({
  ...{ time, load: 'SEA', feature: 'WAB', type: 'SD' },
  ...{ origin_code: '77009', destination_code: '77009', monitored: 1, ...more },
});

function service(no: string, next: object, subsequent: object | null = null, next3: object | null = null) {
  return { no, operator: 'SBST', next, subsequent, next2: subsequent, next3 };
}
const at = (time: string, more?: object) => arrival(`2026-11-21T${time}+08:00`, more);

/** As seen at 2026-11-21T06:00:00Z, which is 14:00 in Singapore. */
export const arrivelah = {
  services: [
    service('10A', at('14:04:59', { load: 'LSD', type: 'BD', feature: '' })),
    service('10', at('14:00:45'), at('14:01:30', { load: 'SDA', type: 'DD' }), at('14:20:00')),
    service('2', at('13:59:50')),
    service('2', at('14:10:00', { origin_code: '54009' })),
  ],
};

const ltaBus = (EstimatedArrival: string, more: object = {}) => ({
  ...{ EstimatedArrival, Load: 'SEA', Feature: 'WAB', Type: 'SD' },
  ...{ DestinationCode: '77009', Monitored: 1, ...more },
});

export const lta = {
  BusStopCode: '83139',
  Services: [
    {
      ServiceNo: '15',
      NextBus: ltaBus('2026-11-21T14:04:00+08:00', { Feature: '' }),
      // A bus that isn't there: once with the other fields filled, once without.
      NextBus2: ltaBus(''),
      NextBus3: ltaBus('', { Load: '', Feature: '', Type: '' }),
    },
  ],
};

const openCageEnvelope = { licenses: [], status: { code: 200, message: 'OK' } };

const street = { house_number: '12', road: 'Domgasse', suburb: 'Stubenviertel', postcode: 1010 };
const city = { city: 'Vienna', city_district: 'Innere Stadt', state: 'Vienna' };
const country = { 'ISO_3166-1_alpha-2': 'AT', country: 'Austria', country_code: 'at' };

export const openCage = {
  ...openCageEnvelope,
  results: [
    {
      components: { _category: 'building', ...street, ...city, ...country },
      ...{ confidence: 9, formatted: 'Domgasse 12, 1010 Vienna, Austria' },
      geometry: { lat: 48.2081, lng: 16.3743 },
    },
  ],
  total_results: 1,
};

export const openCageSea = {
  ...openCageEnvelope,
  results: [{ components: { body_of_water: 'Tasman Sea' }, confidence: 1, formatted: 'Tasman Sea' }],
  total_results: 1,
};

export const openCageNone = { ...openCageEnvelope, results: [], total_results: 0 };

export const locationIq = {
  lat: '48.2081',
  lon: '16.3743',
  display_name: 'Unterdorf, Tirol, Austria',
  address: { hamlet: 'Unterdorf', village: 'Oberdorf', state: 'Tirol', ...country },
};

const myMemoryEnvelope = { mtLangSupported: null, responderId: null, exception_code: null };

/** MyMemory's envelope around a translation. */
export function myMemory(translatedText: string, more: object = {}) {
  return {
    ...myMemoryEnvelope,
    responseData: { translatedText, match: 0.98 },
    ...{ quotaFinished: false, responseDetails: '', responseStatus: 200 },
    matches: [{ id: '7', segment: 'x', translation: translatedText, source: 'en-GB', target: 'it-IT' }],
    ...more,
  };
}

/** What MyMemory says instead of a translation. */
export function myMemoryRefusal(text: string, responseStatus: number | string = '403') {
  const said = { responseData: { translatedText: text }, responseDetails: text, responseStatus };
  return { ...myMemoryEnvelope, ...said, quotaFinished: null, matches: '' };
}

/** What all upstreams answer on their paths, at an instant. */
export const upstreamAnswers = (at: string) => ({
  '/v1/search': answer(places),
  '/v1/forecast': answer(forecast(at)),
  '/': answer(arrivelah),
  '/geocode/v1/json': answer(openCage),
  '/get': answer(myMemory('Olá')),
});
