/** Small payloads made for the tests, in the form that each upstream really has. */

const HOUR_MS = 3_600_000;

/** Local times of a place eight hours east of UTC, from an instant on. */
function localTimes(start: string, count: number, stepMs: number, length: number): string[] {
  const first = Date.parse(start) + 8 * HOUR_MS;
  return Array.from({ length: count }, (_, at) =>
    new Date(first + at * stepMs).toISOString().slice(0, length),
  );
}

/** A forecast fetched at an instant: `hours` and `days` from then on, the n-th temperature being n. */
export function forecast(at = '2026-11-21T06:15:00Z', hours = 27, days = 8) {
  const hour = `${at.slice(0, 13)}:00:00Z`;
  const fill = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  return {
    latitude: 1.3008,
    longitude: 103.84615,
    generationtime_ms: 0.3,
    utc_offset_seconds: 28800,
    timezone: 'Asia/Singapore',
    timezone_abbreviation: 'GMT+8',
    elevation: 16,
    current_units: { temperature_2m: '°C', wind_speed_10m: 'km/h' },
    current: {
      time: localTimes(at, 1, 0, 16)[0],
      interval: 900,
      temperature_2m: 27.4 as number | null,
      relative_humidity_2m: 81,
      apparent_temperature: 32.1,
      weather_code: 53 as number | null,
      cloud_cover: 92,
      surface_pressure: 1007.2,
      wind_speed_10m: 9.4,
      wind_direction_10m: 211,
      wind_gusts_10m: 21.6 as number | null,
      is_day: 1 as number | null,
    },
    minutely_15: {
      time: localTimes(new Date(Date.parse(at) - HOUR_MS).toISOString(), 5, HOUR_MS / 4, 16),
      precipitation: [9, 0.1, 0.2, 0, 0.3] as (number | null)[],
    },
    hourly: {
      time: localTimes(hour, hours, HOUR_MS, 16),
      temperature_2m: Array.from({ length: hours }, (_, n) => n) as (number | null)[],
      precipitation_probability: fill<number | null>(hours, 40),
      precipitation: fill<number | null>(hours, 0.2),
      weather_code: fill<number | null>(hours, 61),
      wind_speed_10m: fill<number | null>(hours, 8.5),
      cloud_cover: fill<number | null>(hours, 70),
    },
    daily: {
      time: localTimes(hour, days, 24 * HOUR_MS, 10),
      weather_code: fill<number | null>(days, 95),
      temperature_2m_max: fill<number | null>(days, 31.5),
      temperature_2m_min: fill<number | null>(days, 24.8),
      precipitation_sum: fill<number | null>(days, 4.6),
      precipitation_probability_max: fill<number | null>(days, 77),
      wind_speed_10m_max: fill<number | null>(days, 14.2),
      sunrise: localTimes(hour, days, 24 * HOUR_MS, 10).map((date): string | null => `${date}T06:46`),
      sunset: localTimes(hour, days, 24 * HOUR_MS, 10).map((date): string | null => `${date}T18:50`),
    },
  };
}

export const places = {
  results: [
    {
      id: 2761369,
      name: 'Vienna',
      latitude: 48.20849,
      longitude: 16.37208,
      elevation: 171,
      feature_code: 'PPLC',
      country_code: 'AT',
      admin1_id: 2761367,
      timezone: 'Europe/Vienna',
      population: 1691468,
      country_id: 2782113,
      country: 'Austria',
      admin1: 'Vienna',
    },
    {
      id: 4791160,
      name: 'Vienna',
      latitude: 38.90122,
      longitude: -77.26526,
      elevation: 119,
      feature_code: 'PPL',
      country_code: 'US',
      timezone: 'America/New_York',
      population: 16522,
      country: 'United States',
      admin1: 'Virginia',
      admin2: 'Fairfax',
    },
    // On the sea, in a territory that is no state: fields that are 0 or unknown are left out.
    {
      id: 1819730,
      name: 'Vienna Court',
      latitude: 22.3,
      longitude: 114.2,
      feature_code: 'PPLX',
      country_code: 'HK',
      timezone: 'Asia/Hong_Kong',
    },
    { id: 9, name: 'Vienna Deep', latitude: 10, longitude: -150, elevation: -9999, feature_code: 'TRGU' },
  ],
  generationtime_ms: 0.4,
};

const arrival = (time: string, more: object = {}) => ({
  time,
  duration_ms: 1,
  lat: 1.31,
  lng: 103.9,
  load: 'SEA',
  feature: 'WAB',
  type: 'SD',
  visit_number: 1,
  origin_code: '77009',
  destination_code: '77009',
  monitored: 1,
  ...more,
});

/** As seen at 2026-11-21T06:00:00Z, which is 14:00 in Singapore. */
export const arrivelah = {
  services: [
    {
      no: '10A',
      operator: 'SBST',
      next: arrival('2026-11-21T14:04:59+08:00', { load: 'LSD', type: 'BD', feature: '' }),
      subsequent: null,
      next2: null,
      next3: null,
    },
    {
      no: '10',
      operator: 'SBST',
      next: arrival('2026-11-21T14:00:45+08:00'),
      subsequent: arrival('2026-11-21T14:01:30+08:00', { load: 'SDA', type: 'DD' }),
      next2: arrival('2026-11-21T14:01:30+08:00', { load: 'SDA', type: 'DD' }),
      next3: arrival('2026-11-21T14:20:00+08:00'),
    },
    {
      no: '2',
      operator: 'GAS',
      next: arrival('2026-11-21T13:59:50+08:00'),
      subsequent: null,
      next2: null,
      next3: null,
    },
    {
      no: '2',
      operator: 'GAS',
      next: arrival('2026-11-21T14:10:00+08:00', { origin_code: '54009' }),
      subsequent: null,
      next2: null,
      next3: null,
    },
  ],
};

const ltaBus = (EstimatedArrival: string, more: object = {}) => ({
  OriginCode: '77009',
  DestinationCode: '77009',
  EstimatedArrival,
  Monitored: 1,
  Latitude: '1.31',
  Longitude: '103.9',
  VisitNumber: '1',
  Load: 'SEA',
  Feature: 'WAB',
  Type: 'SD',
  ...more,
});
const nothing = { Load: '', Feature: '', Type: '', Latitude: '', Longitude: '', VisitNumber: '' };

export const lta = {
  'odata.metadata': 'https://datamall2.mytransport.sg/ltaodataservice/v3/BusArrival',
  BusStopCode: '83139',
  Services: [
    {
      ServiceNo: '15',
      Operator: 'GAS',
      NextBus: ltaBus('2026-11-21T14:04:00+08:00', { Feature: '' }),
      // A bus that isn't there: once with the other fields filled, once without.
      NextBus2: ltaBus(''),
      NextBus3: ltaBus('', nothing),
    },
  ],
};

const openCageEnvelope = {
  documentation: 'https://opencagedata.com/api',
  licenses: [],
  status: { code: 200, message: 'OK' },
  thanks: 'For using an OpenCage API',
};

export const openCage = {
  ...openCageEnvelope,
  rate: { limit: 2500, remaining: 2400, reset: 1790812800 },
  results: [
    {
      components: {
        'ISO_3166-1_alpha-2': 'AT',
        'ISO_3166-2': ['AT-9'],
        _category: 'building',
        city: 'Vienna',
        city_district: 'Innere Stadt',
        country: 'Austria',
        country_code: 'at',
        house_number: '12',
        postcode: 1010,
        road: 'Domgasse',
        state: 'Vienna',
        suburb: 'Stubenviertel',
      },
      confidence: 9,
      formatted: 'Domgasse 12, 1010 Vienna, Austria',
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
  place_id: '11',
  licence: 'https://locationiq.com/attribution',
  lat: '48.2081',
  lon: '16.3743',
  display_name: 'Unterdorf, Tirol, Austria',
  boundingbox: ['1', '2', '3', '4'],
  address: {
    hamlet: 'Unterdorf',
    village: 'Oberdorf',
    state: 'Tirol',
    country: 'Austria',
    country_code: 'at',
  },
};

/** MyMemory's envelope around a translation, or around what it says instead. */
export function myMemory(translatedText: string, more: object = {}) {
  return {
    responseData: { translatedText, match: 0.98 },
    quotaFinished: false,
    mtLangSupported: null,
    responseDetails: '',
    responseStatus: 200,
    responderId: null,
    exception_code: null,
    matches: [{ id: '7', segment: 'x', translation: translatedText, source: 'en-GB', target: 'it-IT' }],
    ...more,
  };
}

export function myMemoryRefusal(text: string, status: number | string = '403') {
  return {
    responseData: { translatedText: text },
    quotaFinished: null,
    mtLangSupported: null,
    responseDetails: text,
    responseStatus: status,
    responderId: null,
    exception_code: null,
    matches: '',
  };
}
