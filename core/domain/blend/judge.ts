import { type CarriedRows, observe, type Series, WINDOW_DAYS } from './carry-forward.js';
import { type Contribution, contributionsTo, inDollars, toDollars } from './dollar-pivot.js';
import { evidenceOf, type Observation } from './evidence.js';
import { type Confirmation, isHeld, type Suspect } from './suspect.js';
import * as rule from './suspicion.js';

/** What an operator said of a figure. */
export interface Decision extends Observation {
  day: number;
  isAccepted: boolean;
}

/** Judges figures in the order of their days, and keeps those that are held back from being carried. */
export interface Judge {
  /** Judges the figures of a day, later than those before. Returns what is carried then in dollars, as `inDollars`. */
  observeDay(day: number, observations: readonly Observation[]): Map<string, Contribution[]>;
  /** The given suspects, as they are now, and those that were found. */
  readonly suspects: readonly Suspect[];
}

/**
 * Judges the figures that will be carried in `carried`, which holds the last believed figure of every series so far. What
 * is held back depends on nothing but these, the figures, the suspects so far and the decisions.
 */
export function createJudge(
  carried: CarriedRows,
  known: readonly Suspect[] = [],
  decisions: readonly Decision[] = [],
): Judge {
  const suspects = known.toSorted((one, other) => one.day - other.day);
  /** Held back, and nothing later of the series is believed: the last ten. */
  const waiting = new Map<Series, Suspect[]>();
  /** Confirmed in the last week by what may yet leave the level, and what followed at that level. */
  const contested = new Map<Series, Suspect[]>();
  for (const suspect of suspects) {
    // Nothing before a confirmed one waits any more, though its series may have gone back to before both.
    if (suspect.confirmedOn !== undefined) waiting.delete(suspect.series);
    else if (suspect.day > suspect.series.day) wait(suspect);
    if (suspect.confirmedBy && suspect.confirmedBy !== 'other' && !isHeld(suspect)) contest(suspect);
  }

  function wait(suspect: Suspect): void {
    const before = waiting.get(suspect.series) ?? [];
    waiting.set(suspect.series, [...before, suspect].slice(-rule.MOST_PUBLICATIONS));
  }

  function contest(suspect: Suspect): void {
    contested.set(suspect.series, [...(contested.get(suspect.series) ?? []), suspect]);
  }

  function believe({ series, rate }: Observation, day: number, isDecided = false): void {
    // What an operator accepted is not reconsidered.
    const root = isDecided ? undefined : contested.get(series)?.[0];
    const before = root && { day: series.day, rate: series.rate };
    observe(series, day, rate);
    waiting.delete(series);
    if (!before || !root?.last || rule.isOrdinaryMove(root.last, series, true)) return;
    const wasBack = before.day > root.day && rule.isOrdinaryMove(root.last, before, true);
    const last = wasBack ? before : root.last;
    const follower = { ...root, day, rate, last, confirmedOn: day, confirmedBy: 'next' } as const;
    suspects.push(follower);
    contest(follower);
  }

  /** Believes what moves as is ordinary, and does what an operator decided. Returns whether it did. */
  function settle(observation: Observation, day: number): boolean {
    const { series, rate } = observation;
    const decision = decisions.find((one) => one.series === series && one.day === day && one.rate === rate);
    if (!decision && !(Math.abs(rate / series.rate - 1) <= rule.ORDINARY)) return false;
    if (decision?.isAccepted !== false) believe(observation, day, decision !== undefined);
    return true;
  }

  function judge(day: number, observations: readonly Observation[]): void {
    const judged = observations.map((observation) => {
      const evidence = evidenceOf(carried, day, { ...observation, observations });
      const suspicion = hasReturned(evidence) ? undefined : rule.suspicionOf(evidence);
      return { ...evidence, ...suspicion };
    });
    const doubted = judged.filter((one): one is Suspect => one.reason !== undefined);
    for (const figure of judged) {
      if (figure.reason !== undefined) continue;
      confirm(levelOf(waiting.get(figure.series), figure), rule.isAlone(figure) ? 'next' : 'other', day);
      believe(figure, day);
    }
    for (const one of doubted) {
      const table = doubted.filter(({ series }) => series.provider === one.series.provider);
      if (table.some((other) => rule.areSwapped(one, other))) one.reason = 'swapped';
      suspects.push(one);
      wait(one);
    }
    confirmWaiting(day);
  }

  /** Where nobody else speaks, a series is believed that is back where it was before it was doubted. */
  function hasReturned(figure: rule.Evidence & Observation): boolean {
    const before = contested.get(figure.series)?.[0]?.last;
    return before !== undefined && rule.isAlone(figure) && rule.isOrdinaryMove(before, figure, true);
  }

  /** Takes in suspects of one series that were held back. */
  function confirm(chain: readonly Suspect[], by: Confirmation, today: number): void {
    for (const suspect of chain) {
      const { series, day, rate } = suspect;
      Object.assign(suspect, { confirmedOn: today, confirmedBy: by });
      observe(series, day, rate);
      // A chain ends with the newest that waits.
      waiting.delete(series);
      if (by !== 'other') contest(suspect);
    }
  }

  /** Takes in what waits and is confirmed by now, each judged by the same state. */
  function confirmWaiting(day: number): void {
    const newest = [...waiting.values()].flatMap((held) => held.slice(-1));
    const candidates = newest.filter((suspect) => suspect.day >= day - WINDOW_DAYS);
    const confirmed = candidates.map((suspect) => {
      const chain = [...levelOf(waiting.get(suspect.series), suspect), suspect];
      return { chain, by: confirmationOf(suspect, { carried, day, chain, candidates }) };
    });
    for (const { chain, by } of confirmed) if (by) confirm(chain, by, day);
  }

  /** Holds back again what was confirmed where half of those that confirmed it have left its level. */
  function reconsider(day: number): void {
    const all = [...contested.values()].flat();
    if (!all.some(hasLeft)) return;
    const refuted = all.filter((suspect) => {
      const peers = all.filter((other) => other.confirmedBy === 'peers' && speaksFor(other, suspect, day));
      const group = suspect.confirmedBy === 'peers' ? [suspect, ...peers] : [suspect];
      return 2 * group.filter(hasLeft).length >= group.length;
    });
    for (const suspect of refuted) suspect.refutedOn = day;
    for (const { series, day: on } of refuted)
      if (on === series.day) Object.assign(series, lastBelieved(series, suspects));
  }

  function forgetContested(day: number): void {
    for (const [series, all] of contested) {
      const left = all.filter((one) => one.day > day - rule.CONTESTED_DAYS && one.refutedOn === undefined);
      const root = left.findIndex((one) => one.confirmedOn !== one.day || one.confirmedBy === 'peers');
      contested.set(series, root < 0 ? [] : left.slice(root));
    }
  }

  function observeDay(day: number, observations: readonly Observation[]): Map<string, Contribution[]> {
    forgetContested(day);
    const questions = observations
      .filter((observation) => !settle(observation, day))
      .sort(({ series: one }, { series: other }) => (one.key < other.key ? -1 : 1));
    // Dollar pairs first: the others are brought to dollars through those that are not held back.
    for (const isBridge of [true, false]) {
      const part = questions.filter(({ series }) => isBridge === (series.bridges === undefined));
      if (part.length > 0) judge(day, part);
    }
    confirmWaiting(day);
    reconsider(day);
    return inDollars(carried, day);
  }

  return { observeDay, suspects };
}

/** The newest figure of a series that its suspects know of and that is believed. */
function lastBelieved(series: Series, suspects: readonly Suspect[]): rule.Figure {
  const own = suspects.filter((one) => one.series === series);
  const none = { day: Number.NEGATIVE_INFINITY, rate: Number.NaN };
  const isOut = ({ day }: rule.Figure) => own.some((one) => one.day === day && isHeld(one));
  return own
    .flatMap(({ last, day, rate }) => [{ day, rate }, last ?? none])
    .reduce((newest, one) => (one.day > newest.day && !isOut(one) ? one : newest), none);
}

/** What confirms the last of a chain of figures at one level, if anything does. */
function confirmationOf(
  suspect: Suspect,
  { carried, day, ...by }: { carried: CarriedRows; day: number; chain: Suspect[]; candidates: Suspect[] },
): Confirmation | undefined {
  const mine = toDollars(suspect.series, suspect.rate, day);
  const all = mine ? contributionsTo(carried, mine.quote, day) : [];
  const believed = all.filter((other) => other.provider !== suspect.series.provider);
  const level = { day: suspect.day, rate: mine?.rate ?? Number.NaN };
  if (believed.some((other) => rule.agree(other, level))) return 'other';
  const repeated = by.chain.find(({ reason }) => rule.REPEATED_ERRORS.has(reason));
  if (by.chain.length >= rule.publicationsNeeded(suspect, repeated?.reason ?? suspect.reason)) return 'next';
  const peers = by.candidates.filter((other) => speaksFor(other, suspect, day));
  const since = Math.min(suspect.day, ...peers.map((other) => other.day));
  const contradicting = believed.filter((other) => other.day >= since);
  return peers.length > 0 && contradicting.length <= (repeated ? 0 : peers.length) ? 'peers' : undefined;
}

/** Whether a confirmed suspect's series is back where it was before. */
function hasLeft({ series, last, day, rate }: Suspect): boolean {
  if (!last || series.day <= day) return false;
  return rule.isOrdinaryMove(last, series, true) && !rule.isOrdinaryMove({ day, rate }, series, true);
}

/** Whether a suspect of another provider gives the same currency the same rate. */
function speaksFor(other: Suspect, suspect: Suspect, day: number): boolean {
  if (other.series.provider === suspect.series.provider) return false;
  const [theirs, mine] = [other, suspect].map(({ series, rate }) => toDollars(series, rate, day));
  if (!mine || theirs?.quote !== mine.quote) return false;
  return rule.agree({ day: other.day, rate: theirs.rate }, { day: suspect.day, rate: mine.rate });
}

/** The last of the figures that wait, as far as the pair goes by ordinary moves from one to the next and to a figure. */
function levelOf(waiting: readonly Suspect[] = [], figure: rule.Evidence): Suspect[] {
  const level: Suspect[] = [];
  for (const one of waiting.filter(({ day }) => day < figure.day).toReversed()) {
    if (!rule.isOrdinaryMove(one, level[0] ?? figure, rule.isAlone(figure))) break;
    level.unshift(one);
  }
  return level;
}
