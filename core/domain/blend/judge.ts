import { groupBy } from '../group-by.js';
import { type CarriedRows, observe, observeLate, PIVOT, type Series, WINDOW_DAYS } from './carry-forward.js';
import { contributionsTo, toDollars } from './dollar-pivot.js';
import { evidenceOf, type Observation } from './evidence.js';
import type { Confirmation, Suspect } from './suspect.js';
import * as rule from './suspicion.js';
import { type Figure, ORDINARY, ORDINARY_MOVE } from './suspicion.js';

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

  /** Judges the figures of a day later than all before. */
  function observeDay(day: number, observations: readonly Observation[]): void {
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

/** One provider's figures of a day that all moved by the same factor. The leader is judged for all of them. */
interface MovedTable {
  own: string;
  /** The pair with the dollar if the table has one, else the first. */
  leader: Observation;
  members: ReadonlySet<Series>;
  /** The last figures of all pairs of the table, moved by the same factor. */
  last: ReadonlyMap<Series, Figure>;
}

/**
 * Undefined if none moved. The own currency is in most pairs; over half, with the dollar's, must move by one
 * factor. A table of the dollar itself never counts as moved, because all figures are compared in dollars.
 */
function movedTable(figures: readonly Observation[]): MovedTable | undefined {
  const known = figures.filter(({ series }) => series.day > Number.NEGATIVE_INFINITY);
  const isMoved = ({ series, rate }: Observation) => Math.abs(rate / series.rate - 1) > ORDINARY;
  if (known.filter(isMoved).length < 2) return undefined;
  const own = ownCurrency(known);
  const table = known.filter(({ series }) => series.base === own || series.quote === own);
  const moveOf = ({ series, rate }: Observation) => direction(series, own) * Math.log(rate / series.rate);
  const median = lowerMedian(table.map(moveOf));
  const alike = table.filter((one) => Math.abs(moveOf(one) - median) <= ORDINARY_MOVE);
  const inOrder = table.toSorted((one, other) => (one.series.key < other.series.key ? -1 : 1));
  const leader = inOrder.find(({ series }) => !series.bridges) ?? inOrder.find((one) => alike.includes(one));
  if (own === PIVOT || !leader || !alike.includes(leader) || !isMoved(leader)) return undefined;
  if (alike.length < 2 || 2 * alike.length <= table.length) return undefined;
  const moved = ({ series }: Observation): [Series, Figure] => {
    const rate = series.rate * Math.exp(direction(series, own) * moveOf(leader));
    return [series, { day: series.day, rate: Number(rate.toPrecision(12)) }];
  };
  const members = new Set(alike.filter((one) => one !== leader).map(({ series }) => series));
  return { own, leader, members, last: new Map(table.map(moved)) };
}

/** The figure of a member as a suspect that follows the leader, with the leader's evidence converted to its own pair. */
function follower(leader: Suspect, { series, rate }: Observation, { own }: MovedTable): Suspect {
  const isTurned = direction(series, own) !== direction(leader.series, own);
  const brought = (other: number) =>
    Number((isTurned ? (rate * leader.rate) / other : (rate * other) / leader.rate).toPrecision(12));
  return {
    ...leader,
    series,
    rate,
    expected: brought(leader.expected),
    last: leader.last && { ...leader.last, rate: brought(leader.last.rate) },
    others: leader.others.map((other) => ({ ...other, rate: brought(other.rate) })),
    follows: leader.series.key,
  };
}

/** 1 for an amount of the currency, -1 for its price. */
function direction({ quote }: Series, currency: string): 1 | -1 {
  return quote === currency ? 1 : -1;
}

/** The currency in most pairs; on a tie, the first by code. */
function ownCurrency(figures: readonly Observation[]): string {
  const counts = new Map<string, number>();
  for (const { series } of figures)
    for (const code of [series.base, series.quote]) counts.set(code, (counts.get(code) ?? 0) + 1);
  const sorted = [...counts].sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1));
  return sorted[0]?.[0] ?? '';
}

/** The median. Of two middle values it returns the one closer to zero, since with two figures one may have moved alone. */
function lowerMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.abs(low) < Math.abs(high) ? low : high;
}
