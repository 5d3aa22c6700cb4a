import { type CarriedRows, observe, observeLate, type Series, WINDOW_DAYS } from './carry-forward.js';
import { type Contribution, contributionsTo, inDollars, toDollars } from './dollar-pivot.js';
import { evidenceOf, type Observation } from './evidence.js';
import type { Confirmation, Suspect } from './suspect.js';
import * as rule from './suspicion.js';
import { follower, type MovedTable, movedTable } from './table.js';

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
 * Judges the figures that will be carried in `carried`, which holds the believed figures of every series so far: the last,
 * and those of the 14 days before it. What is held back depends on nothing but these, the figures, the suspects so far and
 * the decisions.
 */
export function createJudge(
  carried: CarriedRows,
  known: readonly Suspect[] = [],
  decisions: readonly Decision[] = [],
): Judge {
  const suspects = known.toSorted((one, other) => one.day - other.day);
  /** Held back, and nothing later of the series is believed: the last ten. */
  const waiting = new Map<Series, Suspect[]>();
  /** Those that waited until a later figure of their series was believed, today: others may still confirm them. */
  let passed: Suspect[] = [];
  for (const suspect of suspects) {
    if (suspect.confirmedOn !== undefined) waiting.delete(suspect.series);
    else if (suspect.day > suspect.series.day) wait(suspect);
  }

  function wait(suspect: Suspect): void {
    const before = waiting.get(suspect.series) ?? [];
    waiting.set(suspect.series, [...before, suspect].slice(-rule.MOST_PUBLICATIONS));
  }

  function doubt(suspect: Suspect): void {
    suspects.push(suspect);
    wait(suspect);
  }

  function believe({ series, rate }: Observation, day: number): void {
    passed.push(...(waiting.get(series) ?? []).slice(-1));
    waiting.delete(series);
    observe(series, day, rate);
  }

  /** Believes a figure that is near to its last one, or to what a move of its table has made of that. Returns whether it is. */
  function believeOrdinary(figure: Observation, day: number, tables: Tables): boolean {
    const { series, rate } = figure;
    const last = tables.get(series.provider)?.last.get(series) ?? series;
    const isOrdinary = Math.abs(rate / last.rate - 1) <= rule.ORDINARY;
    if (isOrdinary) believe(figure, day);
    return isOrdinary;
  }

  /** Believes a figure that was asked about, and before it what waits at its level. */
  function takeIn(figure: Observation, day: number): void {
    confirm(levelOf(waiting.get(figure.series), { ...figure, day }), 'next', day);
    believe(figure, day);
  }

  /** Does what an operator decided on a figure. Returns whether one did. */
  function applyDecision(figure: Observation, day: number): boolean {
    const { series, rate } = figure;
    const decision = decisions.find((one) => one.series === series && one.day === day && one.rate === rate);
    if (decision?.isAccepted) takeIn(figure, day);
    return decision !== undefined;
  }

  /** Judges figures of a day; those of moved tables by what the move has made of their last ones. */
  function judge(day: number, figures: readonly Observation[], tables: Tables): void {
    const questions = figures.filter((figure) => !believeOrdinary(figure, day, tables)).sort(byKey);
    const judged = questions.map((figure) => {
      const movedLast = tables.get(figure.series.provider)?.last.get(figure.series);
      const evidence = evidenceOf(carried, day, { ...figure, observations: questions, movedLast });
      return { ...evidence, ...rule.suspicionOf(evidence) };
    });
    const doubted = judged.filter((one): one is Suspect => one.reason !== undefined);
    for (const figure of judged) if (figure.reason === undefined) takeIn(figure, day);
    for (const one of doubted) {
      const table = doubted.filter(({ series }) => series.provider === one.series.provider);
      if (table.some((other) => rule.areSwapped(one, other))) one.reason = 'swapped';
      doubt(one);
    }
    confirmWaiting(day);
  }

  /** Takes in suspects of one series that were held back, and those of its table that follow them. */
  function confirm(chain: readonly Suspect[], by: Confirmation, today: number): void {
    if (chain.length === 0) return;
    const names = new Set(chain.map(({ series, day }) => `${series.key} ${day}`));
    const all = [...[...waiting.values()].flat(), ...passed];
    for (const suspect of all.filter((one) => names.has(`${one.follows ?? one.series.key} ${one.day}`))) {
      const { series, day, rate } = suspect;
      Object.assign(suspect, { confirmedOn: today, confirmedBy: by });
      observeLate(series, day, rate);
      const left = (waiting.get(series) ?? []).filter((one) => one.day > day);
      if (left.length > 0) waiting.set(series, left);
      else waiting.delete(series);
    }
  }

  /** Takes in what waits, or did until today, and is confirmed by now, each judged by the same state. */
  function confirmWaiting(day: number): void {
    const newest = [...[...waiting.values()].flatMap((held) => held.slice(-1)), ...passed];
    const candidates = newest.filter((one) => one.day >= day - WINDOW_DAYS && one.follows === undefined);
    const confirmed = candidates.map((suspect) => {
      const chain = [...levelOf(waiting.get(suspect.series), suspect), suspect];
      return { chain, by: confirmationOf(suspect, { carried, day, chain, candidates }) };
    });
    for (const { chain, by } of confirmed) if (by) confirm(chain, by, day);
  }

  function observeDay(day: number, observations: readonly Observation[]): Map<string, Contribution[]> {
    passed = [];
    const tables = movedTables(observations);
    const undecided = observations.filter((figure) => !applyDecision(figure, day));
    // All others first that nobody has to ask about.
    const figures = undecided.filter(
      (figure) => tables.has(figure.series.provider) || !believeOrdinary(figure, day, tables),
    );
    // Dollar pairs first: the others are brought to dollars through those that are not held back.
    const isFirst = ({ series }: Observation) => {
      const table = tables.get(series.provider);
      return table?.leader.series === series || (!series.bridges && !table?.members.has(series));
    };
    judge(day, figures.filter(isFirst), new Map());
    const believed = new Map([...tables].filter(([, { leader }]) => leader.series.day === day));
    const heldToday = new Map(suspects.filter((one) => one.day === day).map((one) => [one.series, one]));
    const rest = figures.filter((figure) => {
      if (isFirst(figure)) return false;
      const { provider } = figure.series;
      const table = believed.has(provider) ? undefined : tables.get(provider);
      const leader = table?.members.has(figure.series) ? heldToday.get(table.leader.series) : undefined;
      if (table && leader) doubt(follower(leader, figure, table));
      return leader === undefined;
    });
    judge(day, rest, believed);
    return inDollars(carried, day);
  }

  return { observeDay, suspects };
}

/** The tables of a day whose own currency moved, by their providers. */
type Tables = ReadonlyMap<string, MovedTable>;

function movedTables(observations: readonly Observation[]): Tables {
  const byProvider = new Map<string, Observation[]>();
  for (const one of observations) {
    const figures = byProvider.get(one.series.provider);
    if (figures) figures.push(one);
    else byProvider.set(one.series.provider, [one]);
  }
  const tables = new Map<string, MovedTable>();
  for (const [provider, figures] of byProvider) {
    const table = movedTable(figures);
    if (table) tables.set(provider, table);
  }
  return tables;
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
  const repeated = by.chain.find(({ reason }) => rule.REPEATED_ERRORS.has(reason));
  // What its series has left again is confirmed by nothing but what others saw as well.
  if (suspect.series.day < suspect.day) {
    if (believed.some((other) => rule.agree(other, level))) return 'other';
    const needed = rule.publicationsNeeded(suspect, repeated?.reason ?? suspect.reason);
    if (by.chain.length >= needed) return 'next';
  }
  const peers = by.candidates.filter((other) => speaksFor(other, suspect, day));
  const since = Math.min(suspect.day, ...peers.map((other) => other.day));
  const contradicting = believed.filter(
    ({ provider, day: on }) => on >= since && !peers.some(({ series }) => series.provider === provider),
  );
  const found = { publications: by.chain.length, peers: peers.length, contradicting: contradicting.length };
  return rule.isAgreedOn(suspect, repeated !== undefined, found) ? 'peers' : undefined;
}

/** Whether a suspect of another provider gives the same currency the same rate. */
function speaksFor(other: Suspect, suspect: Suspect, day: number): boolean {
  if (other.series.provider === suspect.series.provider) return false;
  const [theirs, mine] = [other, suspect].map(({ series, rate }) => toDollars(series, rate, day));
  if (!mine || theirs?.quote !== mine.quote) return false;
  return rule.agree({ day: other.day, rate: theirs.rate }, { day: suspect.day, rate: mine.rate });
}

/** The last of the figures that wait, as far as the pair goes by ordinary moves from one to the next and to a figure. */
function levelOf(waiting: readonly Suspect[] = [], figure: rule.Figure): Suspect[] {
  const level: Suspect[] = [];
  for (const one of waiting.filter(({ day }) => day < figure.day).toReversed()) {
    if (one.follows !== undefined || !rule.isOrdinaryMove(one, level[0] ?? figure, one)) break;
    level.unshift(one);
  }
  return level;
}

function byKey({ series: one }: Observation, { series: other }: Observation): number {
  return one.key < other.key ? -1 : 1;
}
