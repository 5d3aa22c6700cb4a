import { beforeEach, describe, expect, it } from 'vitest';
import { eta } from '../../../src/bus/arrivals.js';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { answer } from '../../support/http-stub.js';
import { arrivelah, lta } from '../utilities/payloads.js';
import { relayOf } from '../utilities/support.js';

const path = '/sg/bus-arrivals?code=83139';

const relay = relayOf(busRoutes, { '/': answer(arrivelah) });

const bus = (
  eta: string,
  durationMs: number,
  load: string | null = 'SEA',
  type: string | null = 'SD',
  feature: string | null = 'WAB',
) => ({ eta, durationMs, load, type, feature, destinationCode: '77009', tracked: true });

it('GET /sg/bus-arrivals answers every field in order, services in natural order, absent buses as null', async () => {
  const { status, headers, body } = await relay.get(path);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=15', age: '0' });
  const last = { subsequent: null, subsequent2: null };
  const [subsequent, subsequent2] = [bus('1 minute', 90_000, 'SDA', 'DD'), bus('20 minutes', 1_200_000)];
  const services = [
    { serviceNo: '2', next: bus('Arriving', 0), ...last },
    { serviceNo: '2', next: bus('10 minutes', 600_000), ...last },
    { serviceNo: '10', next: bus('45 seconds', 45_000), subsequent, subsequent2 },
    { serviceNo: '10A', next: bus('4 minutes', 299_000, 'LSD', 'BD', null), ...last },
  ];
  const whole = { success: true, stopCode: '83139', fetchedAt: '2026-11-21T06:00:00.000Z', services };
  expect(JSON.stringify(body)).toBe(JSON.stringify(whole));
  expect(relay.stub.requests[0]?.query.toString()).toBe('id=83139');
});

it('GET /sg/bus-arrivals counts down from its copy for 15 seconds, with the old fetchedAt', async () => {
  await relay.get(path);
  relay.time.pass(14);
  const { body } = await relay.get(path);
  expect(relay.stub.requests).toHaveLength(1);
  expect(body.fetchedAt).toBe('2026-11-21T06:00:00.000Z');
  expect(body.services[2].next).toMatchObject({ eta: '31 seconds', durationMs: 31000 });
  relay.time.pass(1);
  await relay.get(path);
  expect(relay.stub.requests).toHaveLength(2);
});

it('GET /sg/bus-arrivals counts down from a stale copy for 60 seconds when the upstream fails, then is a 502', async () => {
  await relay.get(path);
  relay.stub.route('/', answer('SECRET', 500));
  relay.time.pass(60);
  const { status, headers, body } = await relay.get(path);
  expect([status, headers.age, body.fetchedAt]).toEqual([200, '60', '2026-11-21T06:00:00.000Z']);
  expect(body.services[2].next).toMatchObject({ eta: 'Arriving', durationMs: 0 });
  expect(body.services[2].subsequent).toMatchObject({ eta: '30 seconds', durationMs: 30000 });
  relay.time.pass(1);
  const failed = await relay.get(path);
  expect(failed).toMatchObject({ status: 502, headers: { 'cache-control': 'no-store' } });
  expect(failed.body.message).toBe('the bus arrival service gave no answer');
});

it('GET /sg/bus-arrivals answers a stop without services with an empty list', async () => {
  relay.stub.route('/', answer({ services: [] }));
  const { status, body } = await relay.get('/sg/bus-arrivals?code=99999');
  expect([status, body.stopCode, body.services]).toEqual([200, '99999', []]);
});

const [{ next }] = arrivelah.services as [(typeof arrivelah.services)[0]];
it.each([
  ['an error dressed as success', { error: 'SECRET' }],
  ['its own page', { name: 'arrivelah', instruction: 'SECRET' }],
  ['an unknown load', { services: [{ no: '1', next: { ...next, load: 'SECRET' } }] }],
  ['a time that is none', { services: [{ no: '1', next: { ...next, time: 'SECRET' } }] }],
])('GET /sg/bus-arrivals is a 502 for %s, and the log says where it does not fit', async (_, sent) => {
  relay.stub.route('/', answer(sent));
  const { status, body } = await relay.get(path);
  expect(status).toBe(502);
  expect(JSON.stringify(body) + relay.logged()).not.toContain('SECRET');
  expect(relay.logged()).toContain('the response is invalid: services');
});

describe('LTA DataMall', () => {
  beforeEach(async () => {
    await relay.restart({ LTA_ACCOUNT_KEY: 'open-sesame' });
    relay.stub.route('/ltaodataservice/v3/BusArrival', answer(lta));
  });

  it('is asked where a key is set, which goes by header', async () => {
    const { body } = await relay.get(path);
    const next = bus('4 minutes', 240_000, 'SEA', 'SD', null);
    expect(body.services).toEqual([{ serviceNo: '15', next, subsequent: null, subsequent2: null }]);
    const query = new URLSearchParams({ BusStopCode: '83139' });
    expect(relay.stub.requests).toMatchObject([{ query, headers: { accountkey: 'open-sesame' } }]);
  });

  it('gives of a bus what it knows where the rest is blank', async () => {
    const [service] = lta.Services;
    const blank = { ...service?.NextBus, Load: '', Type: '', DestinationCode: '', Monitored: 0 };
    const services = [{ ...service, NextBus2: blank, NextBus3: { ...service?.NextBus, Monitored: null } }];
    relay.stub.route('/ltaodataservice/v3/BusArrival', answer({ ...lta, Services: services }));
    const { status, body } = await relay.get(path);
    expect(status).toBe(200);
    const unknown = { ...bus('4 minutes', 240_000, null, null, null), destinationCode: null, tracked: false };
    expect(body.services[0].subsequent).toEqual(unknown);
    expect(body.services[0].subsequent2).toMatchObject({ load: 'SEA', tracked: null });
  });

  it('answers a 502 for a key that is refused, which is never logged', async () => {
    relay.stub.route('/ltaodataservice/v3/BusArrival', answer('', 401));
    expect((await relay.get(path)).status).toBe(502);
    expect(relay.logged()).toContain('status 401');
    expect(relay.logged()).not.toContain('open-sesame');
  });

  it('is not believed about another stop', async () => {
    expect((await relay.get('/sg/bus-arrivals?code=11111')).status).toBe(502);
  });
});

it.each([
  ['Arriving', [0, 999]],
  ['1 second', [1_000]],
  ['59 seconds', [59_999]],
  ['1 minute', [60_000, 119_999]],
  ['2 minutes', [120_000]],
  ['60 minutes', [3_600_000]],
])('the estimate is %s for %j ms', (text, durations) => {
  expect(durations.map(eta)).toEqual(durations.map(() => text));
});
