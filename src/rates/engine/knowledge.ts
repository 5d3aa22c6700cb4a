import { lastUpTo } from '../../../core/columns/columns.js';
import { WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { HttpError, parameterError } from '../../http/errors.js';
import type { Content } from '../../http/reply.js';
import type { PastSnapshots, WantedDays } from '../history/past-snapshots.js';
import { type KnownVersion, NothingKnown, NotSettled, type Versions } from '../history/versions.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import { blendSource, subsetSource } from './blend-source.js';
import { daysNeeded, withCarried } from './days-needed.js';
import { providerSource } from './provider-source.js';
import type { RateSource, Ground as SourceGround } from './rate-source.js';
import { clockAt } from './request.js';
import type { Question } from './validity.js';

/** What is known: now, or at an instant in the past. */
export interface Knowledge {
  /** The name of the data version that was the newest one: two answers to a question by one name are the same. */
  name: string;
  /** Its instant, in milliseconds since 1970. */
  knownAt: number;
  /** Day number of the present, or of the instant. */
  today: number;
  /** The newest snapshot, of the present. */
  current: Snapshot;
  /** The days whose blends have changed since, as disjoint windows of day numbers in order. */
  readonly changedSince: KnownVersion['changedSince'];
  /** The source of the rates of some providers, or of the blend of all. */
  sourceOf(providers: readonly string[] | undefined): RateSource;
  /** Day number of the newest blended rates. */
  newestDay(reader: Reader): Promise<number | undefined>;
}

export interface KnowledgeDependencies {
  raw: RawStore;
  versions: Versions;
  pastSnapshots: PastSnapshots;
  clock: Clock;
}

function knowledgeNow(
  { raw }: Pick<KnowledgeDependencies, 'raw'>,
  current: Snapshot,
  today: number,
): Knowledge {
  const { version: name, knownAt, days } = current;
  const ground = { raw, snapshot: current, tomorrow: today + 1 };
  return {
    name,
    knownAt,
    today,
    current,
    changedSince: [],
    sourceOf: (providers) => sourceOn(ground, providers),
    newestDay: async () => days.days[lastUpTo(days.days, ground.tomorrow)],
  };
}

/** The data version that was the newest one at an instant. It is plain data. */
export interface PastKnown {
  readonly name: string;
  /** Its own instant, in milliseconds since 1970. */
  readonly knownAt: number;
  /** Day number of the instant that was asked for. */
  readonly today: number;
}

/**
 * Which data version was known at an instant (milliseconds since 1970), by the newest snapshot: a request about two instants
 * gives both the same. Throws an HttpError: 422 that names the parameter for an instant in the future, 404 before the first
 * record, 503 where a transaction is under way that may record rates at it; DataOutdated as `Versions` does.
 */
export async function versionAt(
  { versions, clock }: Pick<KnowledgeDependencies, 'versions' | 'clock'>,
  current: Snapshot,
  { instant, parameter }: { instant: number; parameter: string },
): Promise<PastKnown> {
  if (instant > clock().getTime() && instant > current.knownAt) {
    throw parameterError(
      422,
      parameter,
      `${parameter} is in the future: leave it out, or use one before ${clock().toISOString()}`,
    );
  }
  const { change } = await versions.at(current, instant).catch((error: unknown) => {
    throw asHttpError(error);
  });
  return { name: change.name, knownAt: change.at, today: todayNumber(clockAt(instant, clock)) };
}

/** What was known of a data version, by the newest snapshot. Throws DataOutdated as `Versions` does. */
export async function knowledgeOf(
  { raw, versions, pastSnapshots }: Omit<KnowledgeDependencies, 'clock'>,
  current: Snapshot,
  { name, knownAt, today }: PastKnown,
): Promise<Knowledge> {
  const known = await versions.at(current, knownAt);
  const isPresent = name === current.version;
  const newestDay = (reader: Reader) => pastSnapshots.newestDay(known, today + 1, reader);
  const snapshotWith = async (reader: Reader, wanted: WantedDays | undefined) =>
    isPresent ? current : pastSnapshots.of(known, reader, wanted);
  return {
    name,
    knownAt,
    today,
    current,
    get changedSince() {
      return known.changedSince;
    },
    newestDay,
    sourceOf(providers) {
      const onSnapshot = (snapshot: Snapshot) => sourceOn({ raw, snapshot, tomorrow: today + 1 }, providers);
      return providers
        ? onSnapshot(isPresent ? current : pastSnapshots.withoutDays(known))
        : pastBlend(onSnapshot, { newestDay, snapshotWith });
    },
  };
}

/** The source of the rates of some providers, or of the blend of all: here alone it is chosen. */
export function sourceOn(ground: SourceGround, providers: readonly string[] | undefined): RateSource {
  const [only, ...others] = providers ?? [];
  if (!providers || only === undefined) return blendSource(ground);
  return others.length === 0 ? providerSource(ground, only) : subsetSource(ground, providers);
}

interface PastDays {
  newestDay: Knowledge['newestDay'];
  snapshotWith(reader: Reader, wanted: WantedDays | undefined): Promise<Snapshot>;
}

/** The blend of all at a past version, whose snapshot has only the days that are asked for. */
function pastBlend(
  onSnapshot: (snapshot: Snapshot) => RateSource,
  { newestDay, snapshotWith }: PastDays,
): RateSource {
  return {
    rowsInMemory: () => undefined,
    async rows(request, reader) {
      const { base, quotes, when } = request;
      const newest = await newestDay(reader);
      const days = daysNeeded(when, newest);
      const wanted = days && { days, currencies: quotes && [...quotes, base] };
      const found = await onSnapshot(await snapshotWith(reader, wanted)).rows(request, reader);
      return { ...found, asOf: newest ?? found.asOf };
    },
    async ratesOn(days, reader) {
      const to = days.to ?? (await newestDay(reader)) ?? days.from;
      const first = Math.min(days.from ?? Number.POSITIVE_INFINITY, (to ?? 0) - WINDOW_DAYS);
      const window = to === undefined ? undefined : withCarried({ from: first, to });
      const wanted = window && { days: window, currencies: days.currencies };
      const rates = await onSnapshot(await snapshotWith(reader, wanted)).ratesOn(days, reader);
      // Also of the newest version, whose answer must stay the same when it is no longer that.
      return { ...rates, isPartial: true };
    },
  };
}

function asHttpError(error: unknown): unknown {
  if (error instanceof NothingKnown) {
    const { first } = error;
    return new HttpError(
      404,
      first === undefined
        ? 'nothing is known yet'
        : `nothing was known before ${new Date(first).toISOString()}`,
    );
  }
  if (error instanceof NotSettled) {
    return new HttpError(503, 'rates are being recorded at this very instant', {
      headers: { 'retry-after': '1' },
      cause: error,
    });
  }
  return error;
}

/** What contents are made from, in the thread that makes them. */
export interface Ground extends KnowledgeDependencies {
  /** The data version that the request was resolved with. */
  snapshot: Snapshot;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

/** What a maker of rates gets: a question, and on which day it was asked. */
export interface RatesInput<Layout extends object = object> extends Question<Layout> {
  /** Day number of the present. It must not become another day while a request is answered. */
  readonly today: number;
  /** The data version that was known at the instant that is asked for, if one is. */
  readonly past?: PastKnown | undefined;
}

/**
 * Makes the content of a question about rates, without waiting where these are in memory. Throws the HttpError that the client gets,
 * and as the raw store does.
 */
export type MakeFromRates<Input extends RatesInput, From extends Ground = Ground> = (
  input: Input,
  knowledge: Knowledge,
  ground: From,
) => Content | Promise<Content>;

/** A maker that gets the input of a task, over one that also gets what is known at the instant of the request. */
export function fromRates<Input extends RatesInput, From extends Ground>(
  make: MakeFromRates<Input, From>,
): (input: Input, ground: From) => Content | Promise<Content> {
  return (input, ground) => {
    const { past, today } = input;
    if (!past) return make(input, knowledgeNow(ground, ground.snapshot, today), ground);
    return knowledgeOf(ground, ground.snapshot, past).then((knowledge) => make(input, knowledge, ground));
  };
}
