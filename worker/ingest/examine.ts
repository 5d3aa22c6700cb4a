import type { Logger } from 'pino';
import { createSemaphore } from '../../core/concurrency/semaphore.js';
import { addDays, type CalendarDate, later } from '../../core/domain/dates.js';
import { providerStatus } from '../../core/domain/provider-status.js';
import { providerOf } from '../../core/domain/providers.js';
import { maskValues } from '../../core/http-client/secrets.js';
import { withoutSecrets } from '../feeds/credentials.js';
import { type Attempt, type Diagnosis, diagnose, httpErrorOf, type Stage } from '../feeds/diagnosis.js';
import type { Feed, RateRow } from '../feeds/feed.js';
import { type ConnectionWatch, watchConnections } from '../feeds/http/met-connections.js';
import { tlsExceptions } from '../feeds/http/tls-exceptions.js';
import { countTraffic, type Traffic } from '../feeds/http/traffic.js';
import { readValid } from '../feeds/read-valid.js';
import type { FeedSource } from './feed-source.js';
import { newestWindow } from './windows.js';

/** What asking a source once showed. */
export interface Examination {
  provider: string;
  /** Undefined where all is well. */
  diagnosis: Diagnosis | undefined;
  /** Whether somebody has to do something: a source without its key is left out on purpose. */
  needsHand: boolean;
  /** How its hosts were reached; of several the one that failed, else the last. */
  way: Way;
  /** Of the last response. */
  status: number | undefined;
  milliseconds: number;
  requests: number;
  bytes: number;
  /** Undefined where it could not be read. */
  rows: number | undefined;
  newest: CalendarDate | undefined;
  stored: { newest: CalendarDate | null; differing: number } | undefined;
}

type Step = 'ok' | 'failed';

/** Steps that were not taken are absent. */
interface Way {
  dns?: Step | undefined;
  tcp?: Step | undefined;
  tls?: Step | undefined;
  /** The address that the host's name led to. */
  address?: string | undefined;
  /** Such as `TLSv1.3`. */
  protocol?: string | undefined;
  /** Whether the host sends all certificates but the root: `completed` here, where tls-exceptions.ts has the one missing. */
  chain?: 'complete' | 'completed' | 'incomplete' | undefined;
}

/** What is stored of a source. */
export interface StoredRates {
  newest: CalendarDate | null;
  /** By `pairAndDay`. */
  rates: ReadonlyMap<string, number>;
}

interface ExamineOptions {
  now: Date;
  log: Logger;
  /** What is stored, by provider; nothing is compared where it is absent. */
  stored?: ReadonlyMap<string, StoredRates> | undefined;
  /** Sources that are not done by then are left out. */
  stopping?: AbortSignal;
  /** Called after each source. */
  onExamined?(done: number): void;
}

/** Sources asked at a time. */
const AT_ONCE = 8;

/**
 * Asks each source for its newest days, as an ingest would, stores nothing, and tells for each what it met and what is
 * likely wrong. In the order of the feeds.
 */
export async function examine(
  feeds: readonly Feed[],
  source: FeedSource,
  options: ExamineOptions,
): Promise<Examination[]> {
  const turns = createSemaphore({ permits: AT_ONCE });
  const connections = watchConnections();
  let done = 0;
  try {
    const examinations = await Promise.all(
      feeds.map((feed) =>
        turns.run(async () => {
          const examination = await examineOne(feed, source, connections, options);
          if (options.stopping?.aborted) return [];
          options.onExamined?.(++done);
          return [examination];
        }),
      ),
    );
    return examinations.flat();
  } finally {
    connections.stop();
  }
}

/** Whether no source could be reached at all, of several: not they are at fault then. */
export function hasNoWayOut(examinations: readonly Examination[]): boolean {
  const asked = examinations.filter(({ diagnosis }) => diagnosis?.cause !== 'needs_a_key');
  return asked.length > 1 && asked.every(({ way }) => [way.dns, way.tcp, way.tls].includes('failed'));
}

/** A rate's currencies and day, as a text. */
export function pairAndDay({ date, base, quote }: Omit<RateRow, 'rate'>): string {
  return `${date} ${base} ${quote}`;
}

async function examineOne(
  feed: Feed,
  source: FeedSource,
  connections: ConnectionWatch,
  options: ExamineOptions,
): Promise<Examination> {
  const begun = performance.now();
  const { attempt, rows, traffic, isLive } = await ask(feed, source, options);
  const diagnosis = diagnose(attempt);
  const stored = options.stored?.get(feed.key);
  return {
    provider: feed.key,
    diagnosis,
    needsHand: diagnosis !== undefined && diagnosis.cause !== 'needs_a_key',
    way: isLive ? wayOf(attempt, diagnosis, connections) : {},
    status: traffic?.status,
    milliseconds: Math.round(performance.now() - begun),
    requests: traffic?.requests ?? 0,
    bytes: traffic?.bytes ?? 0,
    rows: rows?.length,
    newest: attempt.read?.newest,
    stored: stored && {
      newest: stored.newest,
      differing: (rows ?? []).filter((row) => (stored.rates.get(pairAndDay(row)) ?? row.rate) !== row.rate)
        .length,
    },
  };
}

interface Asked {
  attempt: Attempt;
  rows?: RateRow[];
  traffic?: Traffic | undefined;
  /** Whether the source itself was asked. */
  isLive: boolean;
}

async function ask(feed: Feed, source: FeedSource, { now, log }: ExamineOptions): Promise<Asked> {
  const { key } = feed;
  let traffic: Traffic | undefined;
  let secrets: string[] = [];
  let isLive = true;
  try {
    const { credentials, recorded, today, ...access } = await source.open(feed);
    isLive = recorded === undefined;
    if (credentials.status === 'missing') return { attempt: { key, missing: credentials.names }, isLive };
    secrets = Object.values(credentials.values);
    const window = recorded ?? newestWindow(feed, today);
    const counted = countTraffic(access.http);
    traffic = counted.traffic;
    const { rows, noData, unread } = await readValid(feed, window, {
      http: counted.http,
      today,
      credentials: credentials.values,
      log: log.child({ provider: key }),
      recorded: !isLive,
    });
    const newest = rows.map(({ date }) => date).reduce<CalendarDate | undefined>(laterOf, undefined);
    return {
      attempt: {
        key,
        last: traffic.last,
        read: {
          rows: rows.length,
          noData: Object.keys(noData),
          unread: unread.map((one) => ({ ...one, reason: maskValues(one.reason, secrets) })),
          newest,
          // A recording has no newer days than its own.
          isLate: isLive && isLate(key, newest ?? addDays(window.from, -1), now),
        },
      },
      rows,
      traffic,
      isLive,
    };
  } catch (error) {
    const attempt = { key, error: withoutSecrets(error, secrets), last: traffic?.last };
    return { attempt, traffic, isLive };
  }
}

function laterOf(one: CalendarDate | undefined, other: CalendarDate): CalendarDate {
  return one === undefined ? other : later(one, other);
}

function isLate(key: string, endDate: CalendarDate, now: Date): boolean {
  const provider = providerOf(key);
  return provider !== undefined && providerStatus(provider, { endDate, lastError: null }, now) === 'late';
}

const STEPS: readonly Stage[] = ['dns', 'tcp', 'tls', 'http', 'content'];

function wayOf(attempt: Attempt, diagnosis: Diagnosis | undefined, connections: ConnectionWatch): Way {
  const failed = httpErrorOf(attempt.error);
  const address = failed?.url ?? attempt.last?.url;
  if (address === undefined || !URL.canParse(address)) return {};
  const { protocol, host, hostname } = new URL(address);
  const met = connections.to(host);
  const isTls = protocol === 'https:';
  // What ends a handshake with TLS has the same code as what ends a connection later.
  const isHandshake = diagnosis?.stage === 'http' && failed?.status === undefined && !met;
  const reached = isHandshake ? (isTls ? 'tls' : 'tcp') : ((failed && diagnosis?.stage) ?? 'content');
  const step = (stage: Stage): Step | undefined => {
    const left = STEPS.indexOf(reached) - STEPS.indexOf(stage);
    return left > 0 ? 'ok' : left === 0 ? 'failed' : undefined;
  };
  const known = tlsExceptions.get(hostname)?.intermediate ? 'completed' : 'complete';
  const isIncomplete = diagnosis?.cause === 'chain_incomplete';
  const chain = met?.protocol === undefined ? undefined : known;
  return {
    dns: step('dns'),
    tcp: step('tcp'),
    tls: isTls ? step('tls') : undefined,
    address: met?.address,
    protocol: met?.protocol,
    chain: isIncomplete ? 'incomplete' : chain,
  };
}
