import { pino } from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Clock } from '../../../core/domain/dates.js';
import { readConfig } from '../../../core/process/config.js';
import { busRoutes } from '../../../src/bus/bus-routes.js';
import type { Cache } from '../../../src/cache/cache.js';
import { addressRoutes } from '../../../src/geocoding/address-routes.js';
import { type AdmissionLimits, createAdmission } from '../../../src/http/admission.js';
import { trustOf } from '../../../src/http/client-address.js';
import { createDispatcher, type MakeContent } from '../../../src/http/dispatcher.js';
import { type Exchange, openExchanges } from '../../../src/http/exchange.js';
import type { Mount } from '../../../src/http/express-adapter.js';
import type { Limits } from '../../../src/http/limits.js';
import { createResponseCache } from '../../../src/http/response-cache.js';
import type { Route } from '../../../src/http/route.js';
import { closeServer, createApiServer, listen } from '../../../src/http/server.js';
import { Writer } from '../../../src/http/writer.js';
import { unknownPath } from '../../../src/parameters/unknown-path.js';
import type { RelayingContext } from '../../../src/relay/relay.js';
import { translateRoutes } from '../../../src/translate/translate-routes.js';
import { weatherRoutes } from '../../../src/weather/weather-routes.js';
import { type HttpStub, httpStub, type StubHandler } from '../../support/http-stub.js';
import { ask } from '../http/support.js';

type MovableClock = ReturnType<typeof movableClock>;

/** A clock that stands still until time passes. */
export function movableClock(start: string) {
  let now = Date.parse(start);
  const pass = (seconds: number) => {
    now += seconds * 1_000;
  };
  return { clock: () => new Date(now), pass };
}

/** A cache that forgets nothing, with its keys to look at. */
export function openMemory(): Pick<Cache, 'get' | 'set'> & { keys(): string[] } {
  const entries = new Map<string, Uint8Array>();
  return {
    get: async (key) => entries.get(key),
    set: async (key, value) => void entries.set(key, value),
    keys: () => [...entries.keys()],
  };
}

/** What relays log, line by line. */
export function logLines(): { log: pino.Logger; lines: string[] } {
  const lines: string[] = [];
  return { log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }), lines };
}

interface ContextOptions extends Partial<Pick<RelayingContext, 'clock' | 'cache' | 'log'>> {
  variables?: Record<string, string>;
}

export function relayingContext({ variables = {}, ...given }: ContextOptions = {}): RelayingContext {
  const standard = { clock: () => new Date(), cache: openMemory(), log: pino({ level: 'silent' }) };
  return { config: readConfig(variables), ...standard, ...given };
}

/** The routes of all that asks upstreams. */
export const relayRoutes = (context: RelayingContext) =>
  [weatherRoutes, busRoutes, addressRoutes, translateRoutes].flatMap((create) => [...create(context)]);

/** The variables by which all upstreams are at one address. */
export const upstreamsAt = (url: string) => ({
  OPEN_METEO_URL: url,
  OPEN_METEO_GEOCODING_URL: url,
  BUS_ARRIVALS_URL: url,
  GEOCODER_URL: url,
  TRANSLATE_URL: url,
});

/** Routes and their upstreams, which are a stub: both anew for each test of a file. */
export interface Relay {
  stub: HttpStub;
  time: MovableClock;
  url: string;
  get(path: string): Promise<Got>;
  /** All that was logged. */
  logged(): string;
  /** Starts the routes anew, with these variables, and at this instant if one is given. */
  restart(variables: Record<string, string>, at?: string): Promise<void>;
}

export function relayOf(
  routes: (context: RelayingContext) => readonly Route[],
  answers: Readonly<Record<string, StubHandler>> = {},
  at = '2026-11-21T06:00:00Z',
): Relay {
  let api: Awaited<ReturnType<typeof serve>>;
  let lines: string[];
  const start = async (variables: Record<string, string> = {}) => {
    const logged = logLines();
    lines = logged.lines;
    const all = { ...upstreamsAt(relay.stub.url), ...variables };
    const context = relayingContext({ variables: all, clock: relay.time.clock, log: logged.log });
    api = await serve(routes(context), logged.log);
    relay.url = api.url;
  };
  const relay = {
    url: '',
    get: (path: string) => api.get(path),
    logged: () => lines.join(),
    async restart(variables: Record<string, string>, instant?: string) {
      await api.close();
      if (instant !== undefined) relay.time = movableClock(instant);
      await start(variables);
    },
  } as Relay;
  beforeEach(async () => {
    relay.stub = await httpStub(answers);
    relay.time = movableClock(at);
    await start();
  });
  afterEach(async () => {
    await api.close();
    await relay.stub.close();
  });
  return relay;
}

/** The names of a record's fields in their order, and their values. */
export function columns(record: object): string[] {
  return [Object.keys(record).join(), JSON.stringify(Object.values(record))];
}

interface ServiceParts {
  variables?: Record<string, string>;
  mounts?: readonly Mount[];
  limits?: Partial<Limits>;
  admissionLimits?: Partial<AdmissionLimits>;
  /** The version of the data, where there is any. */
  dataVersion?: () => string | undefined;
  clock?: Clock;
  onCacheHit?: () => void;
  makeContent?: MakeContent;
  catchUp?: () => Promise<void>;
  onEnd?: (exchange: Exchange) => void;
}

const versionOf = (version: string | undefined) => (version === undefined ? undefined : { version });
const NO_LIMITS = { currency: undefined, utility: undefined, relay: undefined, mcp: undefined };

/** Some routes alone on a port of their own, as the whole service would serve them, without limits but those given. */
export async function serve(
  routes: readonly Route[],
  log: pino.Logger = pino({ level: 'silent' }),
  parts: ServiceParts = {},
) {
  const { mounts = [], onEnd = () => undefined, onCacheHit = () => undefined, dataVersion } = parts;
  const { makeContent = () => Promise.reject(new Error('nothing is to be made')) } = parts;
  const config = readConfig(parts.variables ?? {});
  const clock = parts.clock ?? (() => new Date());
  const writer = new Writer(log, new Map(), clock);
  const admission = createAdmission(parts.admissionLimits);
  const handler = createDispatcher({
    ...{ routes, mounts, unknownPath },
    openExchange: openExchanges({ onEnd, trust: trustOf(config.TRUST_PROXY) }),
    admission,
    limits: { ...NO_LIMITS, ...parts.limits },
    responseCache: createResponseCache(),
    snapshot: { current: () => versionOf(dataVersion?.()), catchUp: parts.catchUp ?? (async () => {}) },
    clock,
    makeContent,
    writer,
    onCacheHit,
  });
  const server = createApiServer(handler);
  const url = await listen(server, 0, '127.0.0.1');
  return { url, get: (path: string) => get(url + path), close: () => closeServer(server) };
}

export interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, looked into by the tests
  body: any;
}

/** Sends the path as it is written, however malformed. */
export async function get(url: string): Promise<Got> {
  const { status = 0, headers, body } = await ask(url);
  return { status, headers, body: JSON.parse(body.toString()) };
}

/** What a request that names a parameter at fault is answered. */
export function refusal(parameter: string) {
  const errors = expect.arrayContaining([expect.objectContaining({ parameter })]);
  return { status: 400, body: { success: false, status: 400, errors } };
}
