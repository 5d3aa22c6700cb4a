import { beforeEach, describe, expect, it } from 'vitest';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { answer } from '../../support/http-stub.js';
import { locationIq, openCage, openCageNone, openCageSea } from '../utilities/payloads.js';
import { columns, relayOf } from '../utilities/support.js';

const DAY = 24 * 3600;
const path = '/detect/location?lat=48.20814&lon=16.37431';

const answers = { '/geocode/v1/json': answer(openCage), '/v1/reverse': answer(locationIq) };
const relay = relayOf(addressRoutes, answers);
const FIELDS =
  'success,lat,lon,road,suburb,county,city,state,postcode,country,countryCode,formatted,houseNumber';

it('GET /detect/location without a key is a 500, and asks nobody', async () => {
  expect(await relay.get(path)).toMatchObject({ status: 500, body: { success: false, status: 500 } });
  expect(relay.stub.requests).toEqual([]);
});

it('GET /detect/location without a key still names a parameter at fault first', async () => {
  expect((await relay.get('/detect/location?lat=91&lon=0')).status).toBe(400);
});

describe('OpenCage', () => {
  beforeEach(() => relay.restart({ OPENCAGE_API_KEY: 'open-sesame', LOCATIONIQ_API_KEY: 'other' }));

  it('answers every field in order', async () => {
    const { status, headers, body } = await relay.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'private, max-age=2592000', age: '0' });
    expect(columns(body)).toEqual([
      FIELDS,
      '[true,48.20814,16.37431,"Domgasse","Stubenviertel",null,"Vienna","Vienna","1010","Austria","AT","Domgasse 12, 1010 Vienna, Austria","12"]',
    ]);
  });

  it('is asked in plain decimals, without leaving a record', async () => {
    await relay.get('/detect/location?lat=0.00000012&lon=-0.5');
    const query = Object.fromEntries(relay.stub.requests[0]?.query ?? []);
    expect(query).toMatchObject({ q: '0.0000,-0.5000', no_record: '1', key: 'open-sesame' });
  });

  it('answers a point 5 m away from its copy, with the coordinates as given', async () => {
    await relay.get(path);
    const { body } = await relay.get('/detect/location?lat=48.20812&lon=16.37429');
    expect(relay.stub.requests).toHaveLength(1);
    expect(body).toMatchObject({ lat: 48.20812, lon: 16.37429, road: 'Domgasse' });
  });

  it.each([
    ['nothing at all', openCageNone],
    ['only a sea', openCageSea],
  ])('finds %s: 404', async (_, body) => {
    relay.stub.route('/geocode/v1/json', answer(body));
    const refused = { success: false, status: 404, message: 'no address found for these coordinates' };
    expect(await relay.get(path)).toMatchObject({ status: 404, body: refused });
  });

  it('answers a copy of any age when it fails', async () => {
    await relay.get(path);
    relay.stub.route('/geocode/v1/json', answer('', 500));
    relay.time.pass(300 * DAY);
    expect((await relay.get(path)).status).toBe(200);
    expect((await relay.get('/detect/location?lat=1&lon=1')).status).toBe(502);
  });

  it.each([400, 401, 402, 403, 404, 405, 429, 500])('is a 502 for its %i, key unlogged', async (status) => {
    relay.stub.route('/geocode/v1/json', answer({ ...openCageNone, status: { code: status } }, status));
    expect((await relay.get(path)).status).toBe(502);
    expect(relay.logged()).toContain(`status ${status}`);
    expect(relay.logged()).not.toMatch(/open-sesame|48\.20/);
  });

  it('is left alone for a while once its quota is used up', async () => {
    relay.stub.route('/geocode/v1/json', answer(openCageNone, 402));
    await relay.get(path);
    await relay.get(path);
    expect(relay.stub.requests).toHaveLength(1);
  });
});

describe('LocationIQ', () => {
  beforeEach(() => relay.restart({ LOCATIONIQ_API_KEY: 'open-sesame' }));

  it('is asked where only it has a key', async () => {
    expect(columns((await relay.get(path)).body)).toEqual([
      FIELDS,
      '[true,48.20814,16.37431,null,null,null,"Oberdorf","Tirol",null,"Austria","AT","Unterdorf, Tirol, Austria",null]',
    ]);
    const sent = { format: 'json', lat: '48.2081', lon: '16.3743', key: 'open-sesame' };
    expect(Object.fromEntries(relay.stub.requests[0]?.query ?? [])).toMatchObject(sent);
  });

  it('says 404 where there is no address, and that is kept', async () => {
    relay.stub.route('/v1/reverse', answer({ error: 'Unable to geocode' }, 404));
    for (let twice = 0; twice < 2; twice++) expect((await relay.get(path)).status).toBe(404);
    expect(relay.stub.requests).toHaveLength(1);
  });

  it('is at fault for any other 404', async () => {
    relay.stub.route('/v1/reverse', answer({ message: 'no such path' }, 404));
    expect((await relay.get(path)).status).toBe(502);
  });

  it('is asked again after 48 hours, and no copy outlives them', async () => {
    await relay.get(path);
    relay.time.pass(2 * DAY - 1);
    await relay.get(path);
    expect(relay.stub.requests).toHaveLength(1);
    relay.time.pass(2);
    relay.stub.route('/v1/reverse', answer('', 400));
    expect((await relay.get(path)).status).toBe(502);
  });
});
