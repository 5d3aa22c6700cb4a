import { rateAt } from '../../../../core/columns/columns.js';
import { createEventLoop } from '../../../../core/concurrency/event-loop.js';
import type { RawSelection } from '../../../../core/database/bulk/read-rates.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { periodOf, providerOf } from '../../../../core/domain/providers.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import type { Catalogue } from '../../../../src/catalogue/catalogue.js';
import type { Cost } from '../../../../src/http/cost.js';
import { type ErrorForms, errorReply } from '../../../../src/http/error-reply.js';
import { HttpError, type ParameterFault } from '../../../../src/http/errors.js';
import type { Reply } from '../../../../src/http/reply.js';
import type { RequestContext, Route } from '../../../../src/http/route.js';
import { createRates, type Rates, type RatesDependencies } from '../../../../src/rates/engine/rates.js';
import { openPastSnapshots } from '../../../../src/rates/history/past-snapshots.js';
import { NothingKnown, type Versions } from '../../../../src/rates/history/versions.js';
import type { MakeReceipt } from '../../../../src/rates/receipts/receipts.js';
import { ratesRoutes } from '../../../../src/rates/routes/rates-routes.js';
import { type LastChanges, withChanges } from '../../../../src/rates/snapshot/last-changes.js';
import type { Snapshot } from '../../../../src/rates/snapshot/snapshot.js';
import type { BlendedTable } from '../../../../src/rates/sources/day-blends.js';
import type { RawStore } from '../../../../src/rates/sources/raw-store.js';
import { type KnownRow, reader, row, snapshotOf, storeOf } from '../sources/in-memory.js';

/** All rows that there are from an instant on, as texts: `ECB 2026-03-02 EUR/USD 1.25`, suspect with `jump` behind it. */
interface Recorded {
  at: string;
  rows: readonly string[];
}

interface Given {
  /** What was recorded, oldest first; the last is what is known now. */
  recorded: readonly Recorded[];
  now: string;
  /** The newest snapshot that has been read whenever that is looked up; that of all that was recorded if absent. */
  current?: (snapshots: readonly Snapshot[]) => Snapshot | undefined;
  /** Routes beside those of rates. */
  others?: (dependencies: RatesDependencies & { rates: Rates }) => Route[];
  /** How some paths write their errors; the text of others is empty. */
  errorForms?: ErrorForms;
  parts?: Partial<RatesDependencies>;
  /** When providers were last read without error, by key. */
  readAt?: Readonly<Record<string, string>>;
  /** The data version that there was by then; the first if absent. */
  version?: bigint;
}

interface Request {
  headers?: Record<string, string>;
  /** Sent by POST. */
  body?: string;
  signal?: AbortSignal;
}

/** A response, or the error that a client would be told. */
export interface Answer {
  status: number;
  text: string;
  type: string | undefined;
  headers: Record<string, string>;
  message: string | undefined;
  faults: readonly ParameterFault[];
  tag: string | undefined;
  cacheControl: string;
  vary: readonly string[] | undefined;
  dataVersion: string | undefined;
  /** Whether the body is sent while it is made. */
  isStream: boolean;
  /** Whether it was there without waiting. */
  isImmediate: boolean;
}

/** What a store was asked for. */
export type Read =
  | (RawSelection & { isPatient?: boolean | undefined })
  | { since: number }
  | { provider: string }
  | { span: readonly string[] };

/** The routes of rates and of SDMX on rows in memory: no database, no HTTP. */
export interface Routes {
  ask(target: string, request?: Request): Promise<Answer>;
  /** The parsed body of a reply that must be a 200. */
  json<T = Record<string, unknown>>(target: string, request?: Request): Promise<T>;
  cost(target: string, method?: 'get' | 'post'): Promise<Cost | undefined>;
  /** What was read of the store, in order. */
  reads: Read[];
  /** What the shared cache holds. */
  cached: Map<string, Uint8Array>;
  /** What receipts were made for. */
  proven: Parameters<MakeReceipt>[0][];
  routes: readonly Route[];
}

interface Version {
  rows: readonly KnownRow[];
  snapshot: Snapshot;
  store: RawStore;
}

export function openRoutes({
  recorded,
  now,
  current = (snapshots) => snapshots.at(-1),
  others = () => [],
  errorForms = new Map(),
  parts = {},
  readAt = {},
  version = 1n,
}: Given): Routes {
  const clock = () => new Date(now);
  const eventLoop = createEventLoop();
  const versions: Version[] = recorded.map(({ at, rows: texts }, index) => {
    const rows = texts.map((text) => row(text, text.endsWith(' jump') ? 'jump' : undefined));
    const version = { version: `${index + 1}`, dataVersion: BigInt(index + 1), knownAt: Date.parse(at) };
    return { rows, store: storeOf(rows), snapshot: { ...snapshotOf(rows), ...version } };
  });
  let lastChanges: LastChanges = withChanges(new Map(), [], new Map());
  versions.forEach((version, index) => {
    const change = { ...changeOf(versions[index - 1], version), ...nameOf(version.snapshot) };
    lastChanges = withChanges(lastChanges.months, [change], hubsOf(versions.slice(0, index + 1)));
    version.snapshot = { ...version.snapshot, lastChanges };
  });
  const snapshots = versions.map(({ snapshot }) => snapshot);
  const reads: Read[] = [];
  const raw = storeOfVersions(versions, reads);
  const cached = new Map<string, Uint8Array>();
  const proven: Parameters<MakeReceipt>[0][] = [];
  const dependencies: RatesDependencies = {
    snapshot: { current: () => current(snapshots), catchUp: async () => {} },
    raw,
    versions: versionsOf(versions),
    pastSnapshots: openPastSnapshots(raw, eventLoop),
    cache: {
      get: async (key) => cached.get(key),
      set: async (key, value) => void cached.set(key, value),
    },
    clock,
    eventLoop,
    ...parts,
  };
  const rates = createRates(dependencies);
  const routes = [
    ...ratesRoutes({
      rates,
      clock,
      catalogue: { current: () => catalogueOf(readAt, version) },
      async receipts(rate) {
        proven.push(rate);
        return { url: rate.url, sha256: '"x"' } as unknown as Receipt;
      },
    }),
    ...others({ ...dependencies, rates }),
  ];

  async function ask(target: string, { headers = {}, body, signal }: Request = {}): Promise<Answer> {
    const { route, params } = routeAt(routes, target, body === undefined ? 'get' : 'post');
    const sent = { headers, params, body, ...(signal && { signal }) };
    const context: RequestContext = { ...reader, ...sent, id: 'test', isSecure: false };
    try {
      const begun = await route.handle(route.query?.read(target), context);
      const made = 'make' in begun ? begun.make() : begun;
      return { ...(await answerOf(await made)), isImmediate: !(made instanceof Promise) };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const [, segment = ''] = target.split('/', 2);
      if (!errorForms.has(segment)) return refusalOf(error);
      const reply = errorReply(error, { url: target, headers }, errorForms);
      return { ...(await answerOf(reply)), message: error.message };
    }
  }

  return {
    ask,
    async json<T>(target: string, request?: Request) {
      const { status, text, message } = await ask(target, request);
      if (status !== 200) throw new Error(`${target}: ${status} ${message}`);
      return JSON.parse(text) as T;
    },
    async cost(target, method = 'get') {
      const { route, params } = routeAt(routes, target, method);
      const context = { ...reader, id: 'test', headers: {}, params, body: '[]', isSecure: false };
      const reply = await route.handle(route.query?.read(target), context);
      return 'make' in reply ? reply.cost : undefined;
    },
    reads,
    cached,
    proven,
    routes,
  };
}

/** A catalogue with nothing but when providers were read. */
function catalogueOf(readAt: Readonly<Record<string, string>>, version: bigint): Catalogue {
  const states = Object.entries(readAt).map(([key, text]) => {
    const at = new Date(text);
    const state = { key, lastAttemptAt: at, lastSuccessAt: at, lastError: null, newestReadAt: at };
    return [key, state] as const;
  });
  const providers = new Map(states);
  const unknown = { coverage: new Map(), currencies: new Map(), newest: undefined, readingPlan: null };
  return { ...unknown, version, providers };
}

function routeAt(routes: readonly Route[], target: string, method: string) {
  const path = target.split('?', 1)[0] ?? '';
  for (const route of routes) {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const pattern = route.path.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)');
    const found = route.method === method && new RegExp(`^${pattern}$`).exec(path);
    if (!found) continue;
    const params = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    return { route, params };
  }
  throw new Error(`no route: ${target}`);
}

async function answerOf({
  status = 200,
  validity,
  headers = [],
  content,
  dataVersion,
}: Reply): Promise<Answer> {
  const { cacheControl, tag, vary } = validity;
  const { type, body = '' } = content ?? {};
  const isStream = typeof body !== 'string' && !Buffer.isBuffer(body);
  let text = isStream ? '' : String(body);
  // A chunk is overwritten after the next one.
  if (isStream) for await (const chunk of body) text += chunk.toString();
  const list = [...headers, ...(content?.headers ?? [])];
  const pairs = list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : []));
  return {
    ...NOTHING,
    ...{ status, text, type, tag, vary, dataVersion, isStream },
    headers: Object.fromEntries(pairs),
    cacheControl: typeof cacheControl === 'string' ? cacheControl : cacheControl(),
  };
}

const NOTHING: Omit<Answer, 'status' | 'headers' | 'cacheControl'> = {
  text: '',
  type: undefined,
  message: undefined,
  faults: [],
  tag: undefined,
  vary: undefined,
  dataVersion: undefined,
  isStream: false,
  isImmediate: false,
};

function refusalOf({ status, message, parameters: faults, headers }: HttpError): Answer {
  return { ...NOTHING, status, message, faults, headers, cacheControl: 'no-store' };
}

/** The rows of the version of a snapshot, with the newest of its tables kept as the store of a database keeps it. */
function storeOfVersions(versions: readonly Version[], reads: Read[]): RawStore {
  const of = ({ version }: Snapshot) =>
    versions.find(({ snapshot }) => snapshot.version === version) ?? missing(version);
  let recent: { version: string; from: number; table: BlendedTable } | undefined;
  const cachedSince: RawStore['cachedSince'] = (snapshot, day) =>
    recent && recent.version === snapshot.version && recent.from <= day ? recent.table : undefined;
  return {
    cachedSince,
    cachedOfProvider: () => undefined,
    async read(snapshot, selection, who, options) {
      reads.push({ ...selection, isPatient: options?.isPatient });
      return of(snapshot).store.read(snapshot, selection, who);
    },
    async since(snapshot, day, who) {
      const known = cachedSince(snapshot, day);
      if (known) return known;
      reads.push({ since: day });
      const table = await of(snapshot).store.since(snapshot, day, who);
      recent = { version: snapshot.version, from: day, table };
      return table;
    },
    async ofProvider(snapshot, key, who) {
      reads.push({ provider: key });
      const source = { pivot: providerOf(key)?.pivot_currency ?? null };
      const period = periodOf(key);
      const store = storeOf(of(snapshot).rows, period ? { ...source, period } : source);
      return store.ofProvider(snapshot, key, who);
    },
    lastBefore: (snapshot, ...rest) => of(snapshot).store.lastBefore(snapshot, ...rest),
    statesOf: (snapshot, ...rest) => of(snapshot).store.statesOf(snapshot, ...rest),
    async span(snapshot, keys, upTo, who) {
      reads.push({ span: keys });
      return of(snapshot).store.span(snapshot, keys, upTo, who);
    },
  };
}

function missing(version: string): never {
  throw new Error(`no version ${version}`);
}

function versionsOf(versions: readonly Version[]): Versions {
  return {
    async at(current, instant) {
      const known = versions.findLast(
        ({ snapshot: { knownAt, dataVersion } }) => knownAt <= instant && dataVersion <= current.dataVersion,
      );
      if (!known) throw new NothingKnown(versions[0]?.snapshot.knownAt);
      const { version: name, dataVersion, knownAt } = known.snapshot;
      return {
        change: { version: dataVersion, name, from: 0, to: 0, provider: null, at: knownAt },
        current,
        changedSince: changedBetween(known.snapshot, current),
        lastChangeOf: () => name,
      };
    },
  };
}

function nameOf({ version: name, dataVersion: version }: Snapshot) {
  return { name, version };
}

/** What a version has changed: the days of rows and blends, and the provider, if it was only one. */
function changeOf(before: Version | undefined, version: Version) {
  const textOf = (each: KnownRow) => JSON.stringify(each);
  const [known, now] = [before?.rows ?? [], version.rows].map((rows) => new Set(rows.map(textOf)));
  const changed = [
    ...version.rows.filter((each) => !known?.has(textOf(each))),
    ...(before?.rows ?? []).filter((each) => !now?.has(textOf(each))),
  ];
  const blends = before ? changedBetween(before.snapshot, version.snapshot) : [];
  const days = [
    ...changed.map(({ date }) => dayNumber(date)),
    ...blends.flatMap(({ from, to }) => [from, to]),
  ];
  const [only = null, ...others] = new Set(changed.map(({ provider }) => provider));
  return { from: Math.min(...days), to: Math.max(...days), provider: others.length === 0 ? only : null };
}

/** By provider, the currencies that all pairs have which it ever published. */
function hubsOf(versions: readonly Version[]): Map<string, string[]> {
  const hubs = new Map<string, string[]>();
  for (const { provider, base, quote } of versions.flatMap(({ rows }) => rows)) {
    const sides = [base, quote];
    hubs.set(provider, hubs.get(provider)?.filter((code) => sides.includes(code)) ?? sides);
  }
  return hubs;
}

/** The days from the first whose blends differ to the last, as one window; none where all are the same. */
function changedBetween(one: Snapshot, other: Snapshot): { from: number; to: number }[] {
  const days = [...new Set([...one.days.days, ...other.days.days])].sort((a, b) => a - b);
  const changed = days.filter((day) => blendsOn(one, day) !== blendsOn(other, day));
  const [from, to] = [changed[0], changed.at(-1)];
  return from === undefined || to === undefined ? [] : [{ from, to }];
}

function blendsOn({ days: { days, byQuote } }: Snapshot, day: number): string {
  const index = days.indexOf(day);
  const rates = [...byQuote].map(([quote, column]) => [
    quote,
    index < 0 ? Number.NaN : rateAt(column, index),
  ]);
  return JSON.stringify(rates.filter(([, rate]) => !Number.isNaN(rate)).toSorted());
}
