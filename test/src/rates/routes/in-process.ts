import { columnsOf, rateAt } from '../../../../core/columns/columns.js';
import type { RawSelection } from '../../../../core/database/bulk/read-rates.js';
import { dayNumber } from '../../../../core/domain/dates.js';
import { periodOf, providerOf } from '../../../../core/domain/providers.js';
import type { Receipt } from '../../../../core/domain/receipt/schema.js';
import type { Catalogue } from '../../../../src/catalogue/catalogue.js';
import { HttpError, type ParameterFault } from '../../../../src/http/errors.js';
import { errorReply, MOVING, moving, type Reply } from '../../../../src/http/reply.js';
import type { Route } from '../../../../src/http/route.js';
import { dialectErrorForms } from '../../../../src/rates/dialects/dialects.js';
import { PastBlends } from '../../../../src/rates/history/past-snapshots.js';
import { nothingKnown, type Versions } from '../../../../src/rates/history/versions.js';
import { createRates, type Rates, type RatesDependencies } from '../../../../src/rates/rates.js';
import type { MakeReceipt } from '../../../../src/rates/receipts/receipts.js';
import { ratesRoutes } from '../../../../src/rates/routes/rates-routes.js';
import { type LastChanges, withChanges } from '../../../../src/rates/snapshot/last-changes.js';
import type { Snapshot, WholeSnapshot } from '../../../../src/rates/snapshot/snapshot.js';
import { windowOfNewest } from '../../../../src/rates/sources/day-blends.js';
import type { RawStore } from '../../../../src/rates/sources/raw-store.js';
import type { RawTable } from '../../../../src/rates/sources/raw-table.js';
import type { Shares } from '../../../../src/rates/sources/shares.js';
import { openRenderer } from '../../../../src/rendering/renderer.js';
import { type KnownRow, newestSharesOf, reader, row, snapshotOf, storeOf } from '../sources/in-memory.js';

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
  current?: (snapshots: readonly WholeSnapshot[]) => WholeSnapshot | undefined;
  /** Routes beside those of rates. */
  others?: (dependencies: RatesDependencies & { rates: Rates }) => Route[];
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

/** A response, and the error that it says. */
export type Answer = Awaited<ReturnType<typeof answerOf>>;

/** What a store was asked for. */
export type Read = RawSelection | { since: number } | { provider: string } | { span: readonly string[] };

export type Routes = ReturnType<typeof openRoutes>;

interface Version {
  rows: readonly KnownRow[];
  snapshot: WholeSnapshot;
  store: RawStore;
}

const CONTEXT = {
  ...reader,
  ...{ id: 'test', client: 'test', isSecure: false },
  whenOver: () => {},
};

/** The routes of rates, and others, on rows in memory: no database, no HTTP. */
export function openRoutes({
  recorded,
  now,
  current = (snapshots) => snapshots.at(-1),
  others = () => [],
  parts = {},
  readAt = {},
  version = 1n,
}: Given) {
  const clock = () => new Date(now);
  const versions: Version[] = recorded.map(({ at, rows: texts }, index) => {
    const rows = texts.map((text) => row(text, text.endsWith(' jump') ? 'jump' : undefined));
    const version = { version: `${index + 1}`, dataVersion: BigInt(index + 1), knownAt: Date.parse(at) };
    return { rows, store: storeOf(rows), snapshot: { ...snapshotOf(rows), ...version } };
  });
  let lastChanges: LastChanges = withChanges(new Map(), [], new Map());
  versions.forEach((version, index) => {
    const { version: name, dataVersion } = version.snapshot;
    const change = { ...changeOf(versions[index - 1], version), name, version: dataVersion };
    lastChanges = withChanges(lastChanges.months, [change], hubsOf(versions.slice(0, index + 1)));
    version.snapshot = { ...version.snapshot, lastChanges };
  });
  const snapshots = versions.map(({ snapshot }) => snapshot);
  /** What was read of the store, in order. */
  const reads: Read[] = [];
  const raw = storeOfVersions(versions, reads);
  /** What receipts were made for. */
  const proven: Parameters<MakeReceipt>[0][] = [];
  const makerContext = {
    raw,
    versions: versionsOf(versions),
    pastSnapshots: new PastBlends(raw),
    clock,
    ...NOTHING_READ,
    async receipts(rate: Parameters<MakeReceipt>[0]) {
      proven.push(rate);
      return { url: rate.url, sha256: '"x"' } as unknown as Receipt;
    },
    ...parts,
  };
  const makeContent = openRenderer({
    admission: { admit: () => undefined },
    makerContext,
  });
  const dependencies: RatesDependencies = {
    ...makerContext,
    snapshot: { current: () => current(snapshots) },
    catalogue: { current: () => catalogueOf(readAt, version) },
    makeContent,
    ...parts,
  };
  const rates = createRates(dependencies);
  const routes = [...ratesRoutes({ ...dependencies, rates }), ...others({ ...dependencies, rates })];

  function begin(target: string, { headers = {}, body, signal }: Request, method: string) {
    const { route, params } = routeAt(routes, target, method);
    const sent = { headers, params, body, ...(signal && { signal }) };
    const context = { ...CONTEXT, ...sent, waitBudget: { leftMs: 1_000 } };
    return { context, handled: route.handle(route.query?.read(target), context) };
  }

  /** Asks a route, which must describe each status that it responds with, and below /v1 and /v2 the headers of a 200. */
  async function ask(target: string, request: Request = {}) {
    const method = request.body === undefined ? 'get' : 'post';
    const answer = await answerTo(target, request, method);
    const { responses } = routeAt(routes, target, method).route.description ?? {};
    if (responses && !(answer.status in responses))
      throw new Error(`${target}: status ${answer.status} is not described: ${answer.message}`);
    const described = Object.keys({ ...(responses?.[answer.status] as { headers?: object })?.headers });
    const others = Object.keys(answer.headers).filter((name) => !described.includes(name));
    if (answer.status === 200 && /^\/v\d/.test(target) && others.length > 0)
      throw new Error(`${target}: ${others} is not described`);
    return answer;
  }

  async function answerTo(target: string, request: Request, method: string) {
    try {
      const { context, handled } = begin(target, request, method);
      const resolved = await handled;
      if (!('maker' in resolved)) return await answerOf(resolved, { now });
      const { validity, dataVersion, headers = [] } = resolved;
      const content = await makeContent(resolved, context);
      return await answerOf({ validity, dataVersion, headers, content }, { now });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const reply = errorReply(error, { url: target, headers: request.headers ?? {} }, dialectErrorForms);
      // A body in the common form says no more than the message.
      const isCommon = !dialectErrorForms.has(target.split('/')[1] ?? '');
      const { message, parameters: faults } = error;
      return answerOf(reply, { now, message, faults, ...(isCommon && { text: '' }) });
    }
  }

  /** The parsed body of a reply that must be a 200. */
  async function json<T = Record<string, unknown>>(target: string, request?: Request) {
    const { status, text, message } = await ask(target, request);
    if (status !== 200) throw new Error(`${target}: ${status} ${message}`);
    return JSON.parse(text) as T;
  }

  async function cost(target: string, method = 'get') {
    const resolved = await begin(target, { body: '[]' }, method).handled;
    return 'maker' in resolved ? resolved.cost : undefined;
  }

  return { ask, json, cost, reads, proven, routes: routes as readonly Route[] };
}

const NOTHING_READ = {
  readFigures: async () => {},
  readRevisions: async () => [],
  readSuspects: async () => [],
};

/** A catalogue with nothing but when providers were read. */
function catalogueOf(readAt: Readonly<Record<string, string>>, version: bigint): Catalogue {
  const states = Object.entries(readAt).map(([key, text]) => {
    const at = new Date(text);
    return { key, lastAttemptAt: at, lastSuccessAt: at, lastError: null, newestReadAt: at };
  });
  const providers = new Map(states.map((state) => [state.key, state]));
  const unknown = { coverage: new Map(), currencies: new Map(), newest: undefined };
  return { ...unknown, readingPlan: null, unreached: null, version, providers };
}

function routeAt(routes: readonly Route[], target: string, method: string) {
  const path = target.split('?', 1)[0] ?? '';
  for (const route of routes) {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const pattern = route.path.replaceAll('.', '\\.').replace(/:\w+/g, '([^/]+)');
    const found = route.method === method && new RegExp(`^${pattern}$`).exec(path);
    if (!found) continue;
    return { route, params: Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])) };
  }
  throw new Error(`no route: ${target}`);
}

interface Outcome {
  now: string;
  text?: string;
  message?: string;
  faults?: readonly ParameterFault[];
}

async function answerOf(
  { status = 200, validity, headers = [], content, dataVersion }: Reply,
  { now, ...outcome }: Outcome,
) {
  const { cacheControl, tag, vary } = validity;
  const { type, body = '' } = content ?? {};
  // It is sent while it is made.
  const isStream = typeof body !== 'string' && !Buffer.isBuffer(body);
  let text = isStream ? '' : String(body);
  if (isStream) for await (const chunk of body) text += Buffer.from(chunk).toString();
  const list = [...headers, ...(content?.headers ?? [])];
  const pairs = list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1] ?? '']] : []));
  return {
    ...{ status, text, type, tag, vary, dataVersion, isStream, faults: [] },
    headers: Object.fromEntries(pairs) as Record<string, string>,
    cacheControl: cacheControl === MOVING ? moving(() => new Date(now)) : cacheControl,
    ...outcome,
  };
}

/** The rows of the version of a snapshot, with the newest of its tables kept as the store of a database keeps it. */
function storeOfVersions(versions: readonly Version[], reads: Read[]): RawStore {
  function of({ version }: Snapshot): Version {
    const found = versions.find(({ snapshot }) => snapshot.version === version);
    if (!found) throw new Error(`no version ${version}`);
    return found;
  }
  let recent: { version: string; from: number; table: RawTable } | undefined;
  let newest: { version: string; asOf: number; shares: Shares } | undefined;
  const since: RawStore['since'] = async (snapshot, day, who) => {
    if (recent?.version === snapshot.version && recent.from <= day) return recent.table;
    reads.push({ since: day });
    const table = await of(snapshot).store.since(snapshot, day, who);
    recent = { version: snapshot.version, from: day, table };
    return table;
  };
  return {
    since,
    cachedShares: ({ version }, asOf) =>
      newest?.version === version && newest.asOf === asOf ? newest.shares : undefined,
    async newestShares(snapshot, asOf, who) {
      const shares = newestSharesOf(await since(snapshot, windowOfNewest(asOf).readFrom, who), asOf);
      newest = { version: snapshot.version, asOf, shares };
      return shares;
    },
    cachedOfProvider: () => undefined,
    async read(snapshot, selection, who) {
      reads.push(selection);
      return of(snapshot).store.read(snapshot, selection, who);
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

function versionsOf(versions: readonly Version[]): Versions {
  return {
    async at(current, instant) {
      const known = versions.findLast(
        ({ snapshot: { knownAt, dataVersion } }) => knownAt <= instant && dataVersion <= current.dataVersion,
      );
      if (!known) throw nothingKnown(versions[0]?.snapshot.knownAt);
      const { version, dataVersion, knownAt } = known.snapshot;
      const past = { lastChangeOf: () => version };
      return {
        snapshot: { version, dataVersion, knownAt, days: columnsOf([]), past },
        current,
        changedSince: changedBetween(known.snapshot, current),
      };
    },
  };
}

/** What a version has changed: the days of rows and blends, and the provider, if it was only one. */
function changeOf(before: Version | undefined, version: Version) {
  const [known, now] = [before?.rows ?? [], version.rows];
  const without = (some: readonly KnownRow[], others: readonly KnownRow[]) => {
    const texts = new Set(others.map((each) => JSON.stringify(each)));
    return some.filter((each) => !texts.has(JSON.stringify(each)));
  };
  const changed = [...without(now, known), ...without(known, now)];
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
  const quotes = index < 0 ? [] : [...byQuote].map(([quote, column]) => `${quote} ${rateAt(column, index)}`);
  return quotes
    .filter((text) => !text.endsWith('NaN'))
    .sort()
    .join();
}
