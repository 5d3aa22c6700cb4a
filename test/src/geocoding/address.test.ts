import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { locationIq, openCage, openCageNone, openCageSea } from '../utilities/payloads.js';
import { logLines, type MovableClock, movableClock, relayingContext, serve } from '../utilities/support.js';

const DAY = 24 * 3600;
const path = '/detect/location?lat=48.20814&lon=16.37431';

let stub: HttpStub;
let time: MovableClock;
let logged: ReturnType<typeof logLines>;
let api: Awaited<ReturnType<typeof serve>>;

beforeEach(async () => {
  stub = await httpStub({ '/geocode/v1/json': answer(openCage), '/v1/reverse': answer(locationIq) });
  time = movableClock('2026-11-21T06:00:00Z');
  logged = logLines();
});
afterEach(async () => {
  await api.close();
  await stub.close();
});

async function start(variables: Record<string, string>) {
  const context = relayingContext({
    variables: { GEOCODER_URL: stub.url, ...variables },
    clock: time.clock,
    log: logged.log,
  });
  api = await serve(addressRoutes(context), logged.log);
}

describe('GET /detect/location', () => {
  it('is a 500 without a key, and asks nobody', async () => {
    await start({});
    expect(await api.get(path)).toMatchObject({ status: 500, body: { success: false, status: 500 } });
    expect(stub.requests).toEqual([]);
  });

  it('still names a parameter at fault first', async () => {
    await start({});
    expect((await api.get('/detect/location?lat=91&lon=0')).status).toBe(400);
  });
});

describe('OpenCage', () => {
  beforeEach(() => start({ OPENCAGE_API_KEY: 'open-sesame', LOCATIONIQ_API_KEY: 'other' }));

  it('answers every field in order', async () => {
    const { status, headers, body } = await api.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'private, max-age=2592000', age: '0' });
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        success: true,
        lat: 48.20814,
        lon: 16.37431,
        road: 'Domgasse',
        suburb: 'Stubenviertel',
        county: null,
        city: 'Vienna',
        state: 'Vienna',
        postcode: '1010',
        country: 'Austria',
        countryCode: 'AT',
        formatted: 'Domgasse 12, 1010 Vienna, Austria',
        houseNumber: '12',
      }),
    );
  });

  it('is asked in plain decimals, without leaving a record', async () => {
    await api.get('/detect/location?lat=0.00000012&lon=-0.5');
    expect(stub.requests[0]?.query.get('q')).toBe('0.0000,-0.5000');
    expect(stub.requests[0]?.query.get('no_record')).toBe('1');
    expect(stub.requests[0]?.query.get('key')).toBe('open-sesame');
  });

  it('answers a point 5 m away from its copy, with the coordinates as given', async () => {
    await api.get(path);
    const { body } = await api.get('/detect/location?lat=48.20812&lon=16.37429');
    expect(stub.requests).toHaveLength(1);
    expect(body).toMatchObject({ lat: 48.20812, lon: 16.37429, road: 'Domgasse' });
  });

  it.each([
    ['nothing at all', openCageNone],
    ['only a sea', openCageSea],
  ])('finds %s: 404', async (_, body) => {
    stub.route('/geocode/v1/json', answer(body));
    expect(await api.get(path)).toMatchObject({
      status: 404,
      body: { success: false, status: 404, message: 'no address found for these coordinates' },
    });
  });

  it('answers a copy of any age when it fails', async () => {
    await api.get(path);
    stub.route('/geocode/v1/json', answer('', 500));
    time.pass(300 * DAY);
    expect((await api.get(path)).status).toBe(200);
    expect((await api.get('/detect/location?lat=1&lon=1')).status).toBe(502);
  });

  it.each([400, 401, 402, 403, 404, 405, 429, 500])('is a 502 for its %i, key unlogged', async (status) => {
    stub.route('/geocode/v1/json', answer({ ...openCageNone, status: { code: status } }, status));
    expect((await api.get(path)).status).toBe(502);
    expect(logged.lines.join()).toContain(`status ${status}`);
    expect(logged.lines.join()).not.toContain('open-sesame');
    expect(logged.lines.join()).not.toContain('48.20');
  });

  it('is left alone for a while once its quota is used up', async () => {
    stub.route('/geocode/v1/json', answer(openCageNone, 402));
    await api.get(path);
    await api.get(path);
    expect(stub.requests).toHaveLength(1);
  });
});

describe('LocationIQ', () => {
  beforeEach(() => start({ LOCATIONIQ_API_KEY: 'open-sesame' }));

  it('is asked where only it has a key', async () => {
    const { body } = await api.get(path);
    expect(body).toEqual({
      success: true,
      lat: 48.20814,
      lon: 16.37431,
      road: null,
      suburb: null,
      county: null,
      city: 'Oberdorf',
      state: 'Tirol',
      postcode: null,
      country: 'Austria',
      countryCode: 'AT',
      formatted: 'Unterdorf, Tirol, Austria',
      houseNumber: null,
    });
    expect(Object.fromEntries(stub.requests[0]?.query ?? [])).toMatchObject({
      format: 'json',
      lat: '48.2081',
      lon: '16.3743',
      key: 'open-sesame',
    });
  });

  it('says 404 where there is no address, and that is kept', async () => {
    stub.route('/v1/reverse', answer({ error: 'Unable to geocode' }, 404));
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(path)).status).toBe(404);
    expect(stub.requests).toHaveLength(1);
  });

  it('is at fault for any other 404', async () => {
    stub.route('/v1/reverse', answer({ message: 'no such path' }, 404));
    expect((await api.get(path)).status).toBe(502);
  });

  it('is asked again after 48 hours, and no copy outlives them', async () => {
    await api.get(path);
    time.pass(2 * DAY - 1);
    await api.get(path);
    expect(stub.requests).toHaveLength(1);
    time.pass(2);
    stub.route('/v1/reverse', answer('', 400));
    expect((await api.get(path)).status).toBe(502);
  });
});
