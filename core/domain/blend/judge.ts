import { groupBy } from '../group-by.js';
import { type CarriedRows, observe, observeLate, type Series, WINDOW_DAYS } from './carry-forward.js';
import { type Contribution, contributionsTo, inDollars, toDollars } from './dollar-pivot.js';
import { evidenceOf, type Observation } from './evidence.js';
import type { Confirmation, Suspect } from './suspect.js';
import * as rule from './suspicion.js';
import { follower, type MovedTable, movedTable } from './table.js';

export interface Decision extends Observation {
  day: number;
  isAccepted: boolean;
}

/**
 * Judges figures day by day, and excludes suspects from being carried forward. Adds trusted figures to `carried`, which starts
 * with the last of each series and those of 14 days. Judgements depend only on these, the figures, the known suspects and the
 * decisions.
 */
export function createJudge(
  carried: CarriedRows,
  known: readonly Suspect[] = [],
  decisions: readonly Decision[] = [],
) {
  /** The given suspects in their current state, and those that were found. */
  const suspects = known.toSorted((one, other) => one.day - other.day);
  /** The last ten suspects of each series that are held back and newer than its last trusted figure. */
  const waiting = new Map<Series, Suspect[]>();
  /** Suspects of series with a later trusted figure today. Other sources may still confirm them. */
  let passed: Suspect[] = [];
  for (const suspect of suspects) {
    if (suspect.confirmedOn !== undefined) waiting.delete(suspect.series);
    else if (suspect.day > suspect.series.day) wait(suspect);
  }

  function wait(suspect: Suspect): void {
    const before = waiting.get(suspect.series) ?? [];
    waiting.set(suspect.series, [...before, suspect].slice(-rule.MOST_PUBLICATIONS));
  }

  function addSuspect(suspect: Suspect): void {
    suspects.push(suspect);
    wait(suspect);
  }

  function trust({ series, rate }: Observation, day: number): void {
    passed.push(...(waiting.get(series) ?? []).slice(-1));
    waiting.delete(series);
    observe(series, day, rate);
  }

  /** Trusts a figure close to its last one, or to that after the move of its table. Returns whether it did. */
  function trustOrdinary(figure: Observation, day: number, tables: Tables): boolean {
    const { series, rate } = figure;
    const last = tables.get(series.provider)?.last.get(series) ?? series;
    const isOrdinary = Math.abs(rate / last.rate - 1) <= rule.ORDINARY;
    if (isOrdinary) trust(figure, day);
    return isOrdinary;
  }

  /** Trusts a figure after examination, and confirms the waiting suspects at its level first. */
  function takeIn(figure: Observation, day: number): void {
    confirm(levelOf(waiting.get(figure.series), { ...figure, day }), 'next', day);
    trust(figure, day);
  }

  /** Returns whether there is one. */
  function applyDecision(figure: Observation, day: number): boolean {
    const { series, rate } = figure;
    const decision = decisions.find((one) => one.series === series && one.day === day && one.rate === rate);
    if (decision?.isAccepted) takeIn(figure, day);
    return decision !== undefined;
  }

  /** Judges figures of a day. Figures of moved tables are compared with their moved last figures. */
  function judge(day: number, figures: readonly Observation[], tables: Tables): void {
    const questions = figures.filter((figure) => !trustOrdinary(figure, day, tables)).sort(byKey);
    const judged = questions.map((figure) => {
      const movedLast = tables.get(figure.series.provider)?.last.get(figure.series);
      const evidence = evidenceOf(carried, day, { ...figure, observations: questions, movedLast });
      return { ...evidence, ...rule.suspicionOf(evidence) };
    });
    const suspected = judged.filter((one): one is Suspect => one.reason !== undefined);
    for (const figure of judged) if (figure.reason === undefined) takeIn(figure, day);
    for (const one of suspected) {
      const table = suspected.filter(({ series }) => series.provider === one.series.provider);
      if (table.some((other) => rule.areSwapped(one, other))) one.reason = 'swapped';
      addSuspect(one);
    }
    confirmWaiting(day);
  }

  /** Trusts suspects of one series that were held back, and the suspects of the same table that follow them. */
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

  /** Confirms suspects that wait, or waited until today. All of them are judged by the same state. */
  function confirmWaiting(day: number): void {
    const newest = [...[...waiting.values()].flatMap((held) => held.slice(-1)), ...passed];
    const candidates = newest.filter((one) => one.day >= day - WINDOW_DAYS && one.follows === undefined);
    const confirmed = candidates.map((suspect) => {
      const chain = [...levelOf(waiting.get(suspect.series), suspect), suspect];
      return { chain, by: confirmationOf(suspect, { carried, day, chain, candidates }) };
    });
    for (const { chain, by } of confirmed) if (by) confirm(chain, by, day);
  }

  /** Judges the figures of a day later than all before. Returns the rates carried forward to it, like `inDollars`. */
  function observeDay(day: number, observations: readonly Observation[]): Map<string, Contribution[]> {
    passed = [];
    const tables = movedTables(observations);
    const undecided = observations.filter((figure) => !applyDecision(figure, day));
    // First trust all ordinary figures outside moved tables.
    const figures = undecided.filter(
      (figure) => tables.has(figure.series.provider) || !trustOrdinary(figure, day, tables),
    );
    // Judge dollar pairs first, because other pairs are converted to dollars by those that are not held back.
    const isFirst = ({ series }: Observation) => {
      const table = tables.get(series.provider);
      return table?.leader.series === series || (!series.bridges && !table?.members.has(series));
    };
    judge(day, figures.filter(isFirst), new Map());
    const trusted = new Map([...tables].filter(([, { leader }]) => leader.series.day === day));
    const heldToday = new Map(suspects.filter((one) => one.day === day).map((one) => [one.series, one]));
    const rest = figures.filter((figure) => {
      if (isFirst(figure)) return false;
      const { provider } = figure.series;
      const table = trusted.has(provider) ? undefined : tables.get(provider);
      const leader = table?.members.has(figure.series) ? heldToday.get(table.leader.series) : undefined;
      if (table && leader) addSuspect(follower(leader, figure, table));
      return leader === undefined;
    });
    judge(day, rest, trusted);
    return inDollars(carried, day);
  }

  return { observeDay, suspects };
}

/** The tables of a day whose own currency moved, by provider. */
type Tables = ReadonlyMap<string, MovedTable>;

function movedTables(observations: readonly Observation[]): Tables {
  const tables = new Map<string, MovedTable>();
  for (const [provider, figures] of groupBy(observations, ({ series }) => series.provider)) {
    const table = movedTable(figures);
    if (table) tables.set(provider, table);
  }
  return tables;
}

/** What confirms the last of a chain of suspects at one level; undefined if nothing does. */
function confirmationOf(
  suspect: Suspect,
  { carried, day, ...by }: { carried: CarriedRows; day: number; chain: Suspect[]; candidates: Suspect[] },
): Confirmation | undefined {
  const mine = toDollars(suspect.series, suspect.rate, day);
  const all = mine ? contributionsTo(carried, mine.quote, day) : [];
  const trusted = all.filter((other) => other.provider !== suspect.series.provider);
  const level = { day: suspect.day, rate: mine?.rate ?? Number.NaN };
  const repeated = by.chain.find(({ reason }) => rule.REPEATED_ERRORS.has(reason));
  // If the series has a later trusted figure, only suspects of other sources can confirm this one.
  if (suspect.series.day < suspect.day) {
    if (trusted.some((other) => rule.agree(other, level))) return 'other';
    const needed = rule.publicationsNeeded(suspect, repeated?.reason ?? suspect.reason);
    if (by.chain.length >= needed) return 'next';
  }
  const peers = by.candidates.filter((other) => speaksFor(other, suspect, day));
  const since = Math.min(suspect.day, ...peers.map((other) => other.day));
  const contradicting = trusted.filter(
    ({ provider, day: on }) => on >= since && !peers.some(({ series }) => series.provider === provider),
  );
  const found = { publications: by.chain.length, peers: peers.length, contradicting: contradicting.length };
  return rule.isAgreedOn(suspect, repeated !== undefined, found) ? 'peers' : undefined;
}

/** Whether a suspect of another provider has the same rate for the same currency. */
function speaksFor(other: Suspect, suspect: Suspect, day: number): boolean {
  if (other.series.provider === suspect.series.provider) return false;
  const [theirs, mine] = [other, suspect].map(({ series, rate }) => toDollars(series, rate, day));
  if (!mine || theirs?.quote !== mine.quote) return false;
  return rule.agree({ day: other.day, rate: theirs.rate }, { day: suspect.day, rate: mine.rate });
}

/** The trailing suspects of `waiting` that lead to a figure by ordinary moves, each from the one before. */
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
