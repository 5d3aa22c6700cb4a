import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eta } from '../../../src/bus/arrivals.js';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import { answer, type HttpStub, httpStub } from '../../support/http-stub.js';
import { arrivelah, lta } from '../utilities/payloads.js';
import { logLines, type MovableClock, movableClock, relayingContext, serve } from '../utilities/support.js';

const path = '/sg/bus-arrivals?code=83139';

let stub: HttpStub;
let time: MovableClock;
let api: Awaited<ReturnType<typeof serve>>;
let logged: ReturnType<typeof logLines>;

beforeEach(async () => {
  stub = await httpStub({ '/': answer(arrivelah) });
  time = movableClock('2026-11-21T06:00:00Z');
  logged = logLines();
  api = await start();
});
afterEach(async () => {
  await api.close();
  await stub.close();
});

function start(variables: Record<string, string> = {}) {
  const context = relayingContext({
    variables: { BUS_ARRIVALS_URL: stub.url, ...variables },
    clock: time.clock,
    log: logged.log,
  });
  return serve(busRoutes(context), logged.log);
}

const route = { destinationCode: '77009', tracked: true };

describe('GET /sg/bus-arrivals', () => {
  it('answers every field in order, services in natural order, absent buses as null', async () => {
    const { status, headers, body } = await api.get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=15', age: '0' });
    const soon = { eta: '45 seconds', durationMs: 45000, load: 'SEA', type: 'SD', feature: 'WAB', ...route };
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({
        success: true,
        stopCode: '83139',
        fetchedAt: '2026-11-21T06:00:00.000Z',
        services: [
          {
            serviceNo: '2',
            next: { eta: 'Arriving', durationMs: 0, load: 'SEA', type: 'SD', feature: 'WAB', ...route },
            subsequent: null,
            subsequent2: null,
          },
          {
            serviceNo: '2',
            next: {
              eta: '10 minutes',
              durationMs: 600000,
              load: 'SEA',
              type: 'SD',
              feature: 'WAB',
              ...route,
            },
            subsequent: null,
            subsequent2: null,
          },
          {
            serviceNo: '10',
            next: soon,
            subsequent: {
              eta: '1 minute',
              durationMs: 90000,
              load: 'SDA',
              type: 'DD',
              feature: 'WAB',
              ...route,
            },
            subsequent2: {
              eta: '20 minutes',
              durationMs: 1200000,
              load: 'SEA',
              type: 'SD',
              feature: 'WAB',
              ...route,
            },
          },
          {
            serviceNo: '10A',
            next: { eta: '4 minutes', durationMs: 299000, load: 'LSD', type: 'BD', feature: null, ...route },
            subsequent: null,
            subsequent2: null,
          },
        ],
      }),
    );
    expect(stub.requests[0]?.query.toString()).toBe('id=83139');
  });

  it('counts down from its copy for 15 seconds, with the old fetchedAt', async () => {
    await api.get(path);
    time.pass(14);
    const { body } = await api.get(path);
    expect(stub.requests).toHaveLength(1);
    expect(body.fetchedAt).toBe('2026-11-21T06:00:00.000Z');
    expect(body.services[2].next).toMatchObject({ eta: '31 seconds', durationMs: 31000 });
    time.pass(1);
    await api.get(path);
    expect(stub.requests).toHaveLength(2);
  });

  it('counts down from a stale copy for 60 seconds when the upstream fails, then is a 502', async () => {
    await api.get(path);
    stub.route('/', answer('SECRET', 500));
    time.pass(60);
    const { status, headers, body } = await api.get(path);
    expect([status, headers.age, body.fetchedAt]).toEqual([200, '60', '2026-11-21T06:00:00.000Z']);
    expect(body.services[2].next).toMatchObject({ eta: 'Arriving', durationMs: 0 });
    expect(body.services[2].subsequent).toMatchObject({ eta: '30 seconds', durationMs: 30000 });
    time.pass(1);
    const failed = await api.get(path);
    expect(failed).toMatchObject({ status: 502, headers: { 'cache-control': 'no-store' } });
    expect(failed.body).toEqual({
      success: false,
      status: 502,
      message: 'the bus arrival service gave no answer',
    });
  });

  it('answers a stop without services with an empty list', async () => {
    stub.route('/', answer({ services: [] }));
    expect(await api.get('/sg/bus-arrivals?code=99999')).toMatchObject({
      status: 200,
      body: { success: true, stopCode: '99999', services: [] },
    });
  });

  it.each([
    ['an error dressed as success', { error: 'SECRET' }],
    ['its own page', { name: 'arrivelah', instruction: 'SECRET' }],
    [
      'an unknown load',
      { services: [{ no: '1', next: { ...arrivelah.services[0]?.next, load: 'SECRET' } }] },
    ],
    [
      'a time that is none',
      { services: [{ no: '1', next: { ...arrivelah.services[0]?.next, time: 'SECRET' } }] },
    ],
  ])('is a 502 for %s, and the log tells where it does not fit', async (_, body) => {
    stub.route('/', answer(body));
    const failed = await api.get(path);
    expect(failed.status).toBe(502);
    expect(JSON.stringify(failed.body) + logged.lines.join()).not.toContain('SECRET');
    expect(logged.lines.join()).toContain('the response is invalid: services');
  });
});

describe('LTA DataMall', () => {
  beforeEach(async () => {
    await api.close();
    api = await start({ LTA_ACCOUNT_KEY: 'open-sesame' });
    stub.route('/ltaodataservice/v3/BusArrival', answer(lta));
  });

  it('is asked where a key is set, which goes by header', async () => {
    const { body } = await api.get(path);
    expect(body.services).toEqual([
      {
        serviceNo: '15',
        next: { eta: '4 minutes', durationMs: 240000, load: 'SEA', type: 'SD', feature: null, ...route },
        subsequent: null,
        subsequent2: null,
      },
    ]);
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]?.headers.accountkey).toBe('open-sesame');
    expect(stub.requests[0]?.query.toString()).toBe('BusStopCode=83139');
  });

  it('tells of a bus what it knows where the rest is blank', async () => {
    const [service] = lta.Services;
    const blank = { ...service?.NextBus, Load: '', Type: '', DestinationCode: '', Monitored: 0 };
    const services = [{ ...service, NextBus2: blank, NextBus3: { ...service?.NextBus, Monitored: null } }];
    stub.route('/ltaodataservice/v3/BusArrival', answer({ ...lta, Services: services }));
    const { status, body } = await api.get(path);
    expect(status).toBe(200);
    expect(body.services[0].subsequent).toEqual({
      eta: '4 minutes',
      durationMs: 240000,
      load: null,
      type: null,
      feature: null,
      destinationCode: null,
      tracked: false,
    });
    expect(body.services[0].subsequent2).toMatchObject({ load: 'SEA', tracked: null });
  });

  it('answers a 502 for a key that is refused, which is never logged', async () => {
    stub.route('/ltaodataservice/v3/BusArrival', answer('', 401));
    expect((await api.get(path)).status).toBe(502);
    expect(logged.lines.join()).toContain('status 401');
    expect(logged.lines.join()).not.toContain('open-sesame');
  });

  it('is not believed about another stop', async () => {
    expect((await api.get('/sg/bus-arrivals?code=11111')).status).toBe(502);
  });
});

describe('the estimate', () => {
  it.each([
    [0, 'Arriving'],
    [999, 'Arriving'],
    [1_000, '1 second'],
    [59_999, '59 seconds'],
    [60_000, '1 minute'],
    [119_999, '1 minute'],
    [120_000, '2 minutes'],
    [3_600_000, '60 minutes'],
  ])('%i ms: %s', (durationMs, text) => {
    expect(eta(durationMs)).toBe(text);
  });
});
