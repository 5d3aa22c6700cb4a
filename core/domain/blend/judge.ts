import { type CarriedRows, observe, type Series, WINDOW_DAYS } from './carry-forward.js';
import { type Contribution, type DollarFigure, inDollars, toDollars } from './dollar-pivot.js';
import {
  AGREEMENT,
  areSwapped,
  confirmationsNeeded,
  isConfirmedByOther,
  type OtherFigure,
  type OwnFigure,
  type Suspicion,
  staysAtLevel,
  suspicionOf,
} from './suspicion.js';

/**
 * What became of a figure that was doubted: it is held back; or another source or the provider's next figure agreed
 * with it; or an operator took it in, or left it out for good; or its provider restated it.
 */
export const SUSPECT_STATUSES = ['held', 'confirmed', 'accepted', 'rejected', 'corrected'] as const;
export type SuspectStatus = (typeof SUSPECT_STATUSES)[number];

/** A figure that is or was held back from the blend. */
export interface Suspect extends Suspicion {
  readonly series: Series;
  readonly day: number;
  readonly rate: number;
  status: SuspectStatus;
}

/** A rate of one day, and its series. */
export interface Observation {
  series: Series;
  rate: number;
}

export interface JudgeOptions {
  /** Whose figures are judged; those of others are taken as they are known. */
  isJudged: (provider: string) => boolean;
  /** The first day that is judged; what came before it was. From the first figure on where absent. */
  from?: number;
  /** What is known of figures that were doubted before. */
  known?: Iterable<Suspect>;
}

/** Judges figures in the order of their days, and keeps those that are suspect from being carried. */
export interface Judge {
  /**
   * Observes the figures of a day, later than those before, except for those that are left out. Returns what is
   * carried then in dollars, as `inDollars`.
   */
  observeDay(day: number, observations: readonly Observation[]): Map<string, Contribution[]>;
  /** Which figures of the next day would be held back, without observing them. For measurements. */
  preview(day: number, observations: readonly Observation[]): Suspect[];
  /** The suspects that are new, or have another status than before. */
  changed(): readonly Suspect[];
}

/** Whether a figure of this status is left out of the blend. */
export function isLeftOut(status: SuspectStatus): boolean {
  return status === 'held' || status === 'rejected';
}

/** How far back others' figures are known, for the move since a provider's last one: that of a monthly source. */
const MEMORY_DAYS = 35;

/** Dollar rates by quote, as `inDollars` gives them. */
type Contributions = ReadonlyMap<string, readonly Contribution[]>;

/** The dollar rates of a past day, by quote: in few objects, as there are many days. */
type PastRates = Map<string, PastRate>;

interface PastRate {
  providers: readonly string[];
  rates: Float64Array;
}

/** A figure that its series does not vouch for, and what it makes of its currency. */
interface Doubtful extends Observation {
  dollars: DollarFigure | undefined;
}

/** A figure that is carried while it is judged, and what was carried before it. */
interface Tentative extends Observation {
  before: { day: number; rate: number };
}

/** Judges the figures that will be carried in `carried`. */
export function createJudge(
  carried: CarriedRows,
  { isJudged, from = Number.NEGATIVE_INFINITY, known = [] }: JudgeOptions,
): Judge {
  const suspects = groupBySeries(known);
  /** Held back, and no later figure of the series is carried. */
  const pending = new Map<Series, Suspect[]>();
  let isFirst = true;
  const past = new Map<number, PastRates>();
  const changed = new Set<Suspect>();

  function carry({ series, rate }: Observation, day: number): void {
    observe(series, day, rate);
    if (pending.size > 0) pending.delete(series);
  }

  /** Observes a figure that needs no judgement, or leaves it out. Returns whether it did. */
  function settle(observation: Observation, day: number): boolean {
    const { series, rate } = observation;
    // Not asked where nothing was ever doubted: this runs for every figure.
    const doubted =
      suspects.size > 0 ? suspects.get(series)?.filter((suspect) => suspect.day === day) : undefined;
    const same = doubted?.find((suspect) => suspect.rate === rate);
    const judged = day >= from && isJudged(series.provider);
    if (same && (same.status !== 'held' || !judged)) {
      if (same.status === 'held') append(pending, same);
      else if (same.status !== 'rejected') carry(observation, day);
      return true;
    }
    for (const other of doubted ?? [])
      if (other !== same && other.status === 'held') resolve(other, 'corrected');
    const isOrdinary = rate !== series.rate && Math.abs(rate / series.rate - 1) <= ORDINARY;
    if (judged && !isOrdinary) return false;
    if (same) resolve(same, 'confirmed');
    carry(observation, day);
    return true;
  }

  function resolve(suspect: Suspect, status: SuspectStatus): void {
    suspect.status = status;
    changed.add(suspect);
  }

  function hold({ series, rate }: Observation, day: number, suspicion: Suspicion): Suspect {
    const same = suspects.get(series)?.find((suspect) => suspect.day === day && suspect.rate === rate);
    if (same) {
      if (!pending.get(series)?.includes(same)) append(pending, same);
      return same;
    }
    const suspect: Suspect = { series, day, rate, status: 'held', ...suspicion };
    append(suspects, suspect);
    append(pending, suspect);
    changed.add(suspect);
    return suspect;
  }

  /** Takes in a figure with those held back just before it, if it confirms them. Returns whether it does. */
  function confirmByNext(figure: Observation, day: number): boolean {
    const level = levelOf(pending.get(figure.series) ?? [], figure, day);
    if (!level.some((suspect, index) => level.length - index >= confirmationsNeeded(suspect))) return false;
    confirm(level, day);
    clear(figure, day);
    return true;
  }

  /** Takes in a suspect, with all that its series has held back of its level. */
  function takeIn(suspect: Suspect, day: number): void {
    confirm(levelOf(pending.get(suspect.series) ?? [], suspect, day), day);
    pending.delete(suspect.series);
  }

  /** Takes in figures of a series that are held back, from the first on. */
  function confirm(waiting: readonly Suspect[], today: number): void {
    for (const suspect of waiting) {
      observe(suspect.series, suspect.day, suspect.rate);
      resolve(suspect, 'confirmed');
      // Never held back at the end of a day.
      if (suspect.day === today) changed.delete(suspect);
    }
  }

  function clear(observation: Observation, day: number): void {
    const same = suspects
      .get(observation.series)
      ?.find(
        (suspect) => suspect.day === day && suspect.rate === observation.rate && suspect.status === 'held',
      );
    if (same) resolve(same, 'confirmed');
    carry(observation, day);
  }

  function observeDay(day: number, observations: readonly Observation[]): Map<string, Contribution[]> {
    if (isFirst) awaitOlder(day);
    isFirst = false;
    const questions = observations.filter((observation) => !settle(observation, day));
    let contributions = judgeDay(day, questions);
    if (confirmByOthers(day, contributions)) contributions = inDollars(carried, day);
    past.set(day, ratesIn(contributions));
    past.delete(day - MEMORY_DAYS);
    return contributions;
  }

  /** What was held back before the days that are observed can still be confirmed, if nothing newer is carried. */
  function awaitOlder(first: number): void {
    for (const suspect of [...suspects.values()].flat().sort((one, other) => one.day - other.day)) {
      const isWaiting = suspect.status === 'held' && suspect.day < first && suspect.day > suspect.series.day;
      if (isWaiting) append(pending, suspect);
    }
  }

  function judgeDay(day: number, questions: readonly Observation[]): Map<string, Contribution[]> {
    const doubtful: Doubtful[] = [];
    const tentative: Tentative[] = [];
    for (const { series, rate } of questions) {
      const isMove = series.day > Number.NEGATIVE_INFINITY && rate !== series.rate;
      if (isMove) {
        doubtful.push({ series, rate, dollars: undefined });
      } else {
        // Unchanged and first figures speak for the others of the day, and are taken back if they are suspect.
        tentative.push({ series, rate, before: { day: series.day, rate: series.rate } });
        observe(series, day, rate);
      }
    }
    const contributions = inDollars(carried, day);
    const held: Suspect[] = [];
    const judge = (observation: Observation, own: OwnFigure | undefined) => {
      const dollars = toDollars(observation.series, observation.rate, day);
      return suspicionOf({
        day,
        rate: observation.rate,
        own,
        others: dollars
          ? othersOf(observation, dollars, own, contributions, past.get(own?.day ?? Number.NaN))
          : [],
      });
    };
    /** Whether something else is carried than what `contributions` were made from. */
    let isStale = false;
    for (const figure of doubtful) {
      if (!figure.series.bridges) figure.dollars = toDollars(figure.series, figure.rate, day);
    }
    for (const figure of tentative) {
      const { series, before } = figure;
      const own = before.day === Number.NEGATIVE_INFINITY ? undefined : { ...before, swing: series.swing };
      if (!own && confirmByNext(figure, day)) continue;
      const suspicion = judge(figure, own);
      const dollars = suspicion && !own ? toDollars(series, figure.rate, day) : undefined;
      const peers = dollars && peersOf({ ...figure, dollars }, doubtful, day);
      if (!suspicion || peers) {
        for (const peer of peers ?? []) takeIn(peer, day);
        isStale ||= peers !== undefined;
        clear(figure, day);
        continue;
      }
      Object.assign(series, before);
      held.push(hold(figure, day, suspicion));
      isStale = true;
    }
    // Dollar pairs first: the others are brought to dollars through those that are not held back.
    const inOrder = [
      ...doubtful.filter(({ series }) => !series.bridges),
      ...doubtful.filter(({ series }) => series.bridges),
    ];
    for (const figure of inOrder) {
      const { series, rate } = figure;
      figure.dollars ??= toDollars(series, rate, day);
      const isConfirmed = confirmByNext(figure, day);
      const suspicion = isConfirmed ? undefined : judge(figure, series);
      const peers = suspicion && peersOf(figure, inOrder, day);
      if (suspicion && !peers) {
        held.push(hold(figure, day, suspicion));
        continue;
      }
      isStale = true;
      if (!isConfirmed) {
        for (const peer of peers ?? []) takeIn(peer, day);
        confirm(levelOf(pending.get(series) ?? [], figure, day), day);
        clear(figure, day);
      }
    }
    nameSwaps(held);
    return isStale ? inDollars(carried, day) : contributions;
  }

  /**
   * The suspects of other providers that agree with a doubtful figure; undefined where neither they nor others'
   * doubtful figures do.
   */
  function peersOf(figure: Doubtful, doubtful: readonly Doubtful[], day: number): Suspect[] | undefined {
    const { dollars, series } = figure;
    if (!dollars) return undefined;
    const agrees = (other: Series, theirs: DollarFigure | undefined) =>
      other.provider !== series.provider &&
      theirs?.quote === dollars.quote &&
      isConfirmedByOther({ reason: 'jump' }, dollars.rate, theirs.rate);
    const peers = [...pending.values()].flatMap(
      (waiting) =>
        waiting.findLast(
          (suspect) =>
            suspect.day >= day - WINDOW_DAYS &&
            suspect.reason !== 'unchanged' &&
            agrees(suspect.series, toDollars(suspect.series, suspect.rate, day)),
        ) ?? [],
    );
    if (peers.length === 0 && !doubtful.some((other) => agrees(other.series, other.dollars)))
      return undefined;
    return peers;
  }

  /** Takes in what others' figures, of its day or later, have come to agree with. Returns whether there is any. */
  function confirmByOthers(day: number, contributions: Contributions): boolean {
    let any = false;
    for (const waiting of pending.values()) {
      const agreed = waiting.findLast(
        (suspect) => suspect.day < day && isAgreed(suspect, day, contributions),
      );
      if (!agreed) continue;
      takeIn(agreed, day);
      any = true;
    }
    return any;
  }

  function preview(day: number, observations: readonly Observation[]): Suspect[] {
    const series = [...carried.series.values()].map((one) => ({
      one,
      day: one.day,
      rate: one.rate,
      swing: one.swing,
    }));
    const statuses = [...suspects.values()].flat().map((suspect) => ({ suspect, status: suspect.status }));
    const restore = [suspects, pending, past].map(remember);
    const before = new Set(changed);
    const wasFirst = isFirst;
    observeDay(day, observations);
    isFirst = wasFirst;
    const held = [...changed].filter((suspect) => !before.has(suspect) && suspect.status === 'held');
    for (const { one, ...state } of series) Object.assign(one, state);
    for (const { suspect, status } of statuses) suspect.status = status;
    for (const undo of restore) undo();
    changed.clear();
    for (const suspect of before) changed.add(suspect);
    return held;
  }

  return { observeDay, preview, changed: () => [...changed] };
}

/** Moves up to this are ordinary whatever else is known. */
const ORDINARY = 1 - Math.exp(-AGREEMENT);

/** Whether another provider's figure, of the suspect's day or later, agrees with it. */
function isAgreed(suspect: Suspect, day: number, contributions: Contributions): boolean {
  const { series, rate } = suspect;
  const dollars = suspect.day < day - WINDOW_DAYS ? undefined : toDollars(series, rate, day);
  if (!dollars) return false;
  const others = contributions.get(dollars.quote) ?? [];
  return others.some(
    (other) =>
      other.provider !== series.provider &&
      other.day >= suspect.day &&
      isConfirmedByOther(suspect, dollars.rate, other.rate),
  );
}

/** The last of the figures that a series holds back, as far as they are of one level with a figure. */
function levelOf(waiting: readonly Suspect[], { series, rate }: Observation, day: number): Suspect[] {
  const own = series.day === Number.NEGATIVE_INFINITY ? undefined : series.rate;
  const other = waiting.findLastIndex((held) => !staysAtLevel(held, { rate, days: day - held.day, own }));
  return waiting.slice(other + 1);
}

/** What the other providers' figures make of a pair, now and when its provider's last own figure was new. */
function othersOf(
  { series, rate }: Observation,
  { quote, rises, rate: mine }: DollarFigure,
  own: OwnFigure | undefined,
  now: Contributions,
  before: PastRates | undefined,
): OtherFigure[] {
  const earlier = before?.get(quote);
  const mineThen = rateOf(earlier, series.provider);
  const others: OtherFigure[] = [];
  for (const { provider, rate: theirs } of now.get(quote) ?? []) {
    if (provider === series.provider) continue;
    const theirsThen = rateOf(earlier, provider);
    others.push({
      now: rises ? rate * (theirs / mine) : rate * (mine / theirs),
      before:
        own && mineThen !== undefined && theirsThen !== undefined
          ? own.rate * (rises ? theirsThen / mineThen : mineThen / theirsThen)
          : undefined,
    });
  }
  return others;
}

function ratesIn(contributions: Contributions): PastRates {
  const past: PastRates = new Map();
  for (const [quote, ofQuote] of contributions) {
    const rates = new Float64Array(ofQuote.length);
    ofQuote.forEach(({ rate }, index) => {
      rates[index] = rate;
    });
    past.set(quote, { providers: ofQuote.map(({ provider }) => provider), rates });
  }
  return past;
}

function rateOf(past: PastRate | undefined, provider: string): number | undefined {
  return past?.rates[past.providers.indexOf(provider)];
}

function nameSwaps(held: readonly Suspect[]): void {
  for (const one of held) {
    const isSwapped = held.some(
      (other) => other.series.provider === one.series.provider && areSwapped(one, other),
    );
    if (isSwapped) one.reason = 'swapped';
  }
}

/** Remembers the entries of a map, to give it the same ones again. */
function remember(map: Map<unknown, unknown>): () => void {
  const entries = [...map].map(([key, value]) => [key, Array.isArray(value) ? [...value] : value] as const);
  return () => {
    map.clear();
    for (const [key, value] of entries) map.set(key, value);
  };
}

function groupBySeries(suspects: Iterable<Suspect>): Map<Series, Suspect[]> {
  const groups = new Map<Series, Suspect[]>();
  for (const suspect of suspects) append(groups, suspect);
  return groups;
}

function append(groups: Map<Series, Suspect[]>, suspect: Suspect): void {
  const group = groups.get(suspect.series);
  if (group) group.push(suspect);
  else groups.set(suspect.series, [suspect]);
}
