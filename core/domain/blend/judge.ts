import { type CarriedRows, observe, observeLate, type Series, WINDOW_DAYS } from './carry-forward.js';
import { contributionsTo, toDollars } from './dollar-pivot.js';
import { byKey, evidenceOf, type Observation } from './evidence.js';
import { follower, type MovedTable, movedTables } from './moved-tables.js';
import type { Confirmation, Suspect } from './suspect.js';
import * as rule from './suspicion.js';

export interface Decision extends Observation {
  day: number;
  isAccepted: boolean;
}

type LastFigures = ReadonlyMap<Series, rule.Figure>;

/**
 * Judges figures day by day, and excludes suspects from being carried forward. Adds trusted figures to the carried rows, which
 * start with the last of each series and those of 14 days. Judgements depend only on these, the figures, the known suspects and
 * the decisions.
 */
export class Judge {
  /** The known suspects in their current state, and those that were found. */
  readonly suspects: Suspect[];
  /**
   * The last ten suspects of each series that are held back and newer than its last trusted figure. Of a series with a trusted
   * figure of today it is the last suspect, which other sources may still confirm.
   */
  readonly #waiting = new Map<Series, readonly Suspect[]>();

  constructor(
    private readonly carried: CarriedRows,
    known: readonly Suspect[] = [],
    private readonly decisions: readonly Decision[] = [],
  ) {
    this.suspects = known.toSorted((one, other) => one.day - other.day);
    for (const suspect of this.suspects) {
      if (suspect.confirmedOn !== undefined) this.#waiting.delete(suspect.series);
      else if (suspect.day > suspect.series.day) this.#wait(suspect);
    }
  }

  /** Judges the figures of a day later than all before. */
  observeDay(day: number, observations: readonly Observation[]): void {
    for (const [series, suspects] of this.#waiting)
      if (!suspects.some((one) => one.day > series.day)) this.#waiting.delete(series);
    const tables = movedTables(observations);
    const decisions = this.decisions.filter((one) => one.day === day);
    const decisionOn = ({ series, rate }: Observation) =>
      decisions.find((one) => one.series === series && one.rate === rate);
    for (const figure of observations) if (decisionOn(figure)?.isAccepted) this.#takeIn(figure, day);
    const undecided = observations.filter((figure) => !decisionOn(figure));
    // First trust all ordinary figures outside moved tables.
    const figures = undecided.filter(
      (figure) => tables.has(figure.series.provider) || !this.#trustOrdinary(figure, day),
    );
    // Judge dollar pairs first, because other pairs are converted to dollars by those that are not held back.
    const isFirst = ({ series }: Observation) => {
      const table = tables.get(series.provider);
      return table?.leader.series === series || (!series.bridges && !table?.members.has(series));
    };
    this.#judge(day, figures.filter(isFirst));
    const trusted = [...tables.values()].filter(({ leader }) => leader.series.day === day);
    const movedLast = new Map(trusted.flatMap(({ last }) => [...last]));
    const rest = figures.filter((figure) => !isFirst(figure));
    const alone = rest.filter((figure) => !this.#follow(figure, tables.get(figure.series.provider), day));
    this.#judge(day, alone, movedLast);
  }

  /** Holds a member of a moved table back if its leader is held back today. Returns whether it did. */
  #follow(figure: Observation, table: MovedTable | undefined, day: number): boolean {
    if (!table?.members.has(figure.series)) return false;
    const leader = this.#waiting.get(table.leader.series)?.at(-1);
    if (leader?.day !== day) return false;
    this.#hold(follower(leader, figure, table));
    return true;
  }

  /** Judges figures of a day. Figures of moved tables are compared with their moved last figures. */
  #judge(day: number, figures: readonly Observation[], movedLast?: LastFigures): void {
    const questions = figures.filter((figure) => !this.#trustOrdinary(figure, day, movedLast)).sort(byKey);
    const judged = questions.map((figure) => {
      const asked = { ...figure, observations: questions, movedLast: movedLast?.get(figure.series) };
      const evidence = evidenceOf(this.carried, day, asked);
      return { ...evidence, ...rule.suspicionOf(evidence) };
    });
    const suspected = judged.filter((one): one is Suspect => one.reason !== undefined);
    for (const figure of judged) if (figure.reason === undefined) this.#takeIn(figure, day);
    for (const one of suspected) {
      const table = suspected.filter(({ series }) => series.provider === one.series.provider);
      if (table.some((other) => rule.areSwapped(one, other))) one.reason = 'swapped';
      this.#hold(one);
    }
    this.#confirmWaiting(day);
  }

  /** Trusts a figure close to its last one, or to that after the move of its table. Returns whether it did. */
  #trustOrdinary(figure: Observation, day: number, movedLast?: LastFigures): boolean {
    const { series, rate } = figure;
    const last = movedLast?.get(series) ?? series;
    const isOrdinary = Math.abs(rate / last.rate - 1) <= rule.ORDINARY;
    if (isOrdinary) this.#trust(figure, day);
    return isOrdinary;
  }

  /** Trusts a figure after examination, and confirms the waiting suspects at its level first. */
  #takeIn(figure: Observation, day: number): void {
    this.#confirm(levelOf(this.#waiting.get(figure.series), { ...figure, day }), 'next', day);
    this.#trust(figure, day);
  }

  #trust({ series, rate }: Observation, day: number): void {
    const suspects = this.#waiting.get(series);
    if (suspects) this.#waiting.set(series, suspects.slice(-1));
    observe(series, day, rate);
  }

  #hold(suspect: Suspect): void {
    this.suspects.push(suspect);
    this.#wait(suspect);
  }

  #wait(suspect: Suspect): void {
    const all = [...(this.#waiting.get(suspect.series) ?? []), suspect];
    this.#waiting.set(suspect.series, all.slice(-rule.MOST_PUBLICATIONS));
  }

  /** Confirms suspects that wait, or waited until today. All of them are judged by the same state. */
  #confirmWaiting(day: number): void {
    const newest = [...this.#waiting.values()].flatMap((suspects) => suspects.slice(-1));
    const candidates = newest.filter((one) => one.day >= day - WINDOW_DAYS && one.follows === undefined);
    const confirmed = candidates.map((suspect) => {
      const chain = [...levelOf(this.#waiting.get(suspect.series), suspect), suspect];
      return { chain, by: this.#confirmationOf(suspect, day, chain, candidates) };
    });
    for (const { chain, by } of confirmed) if (by) this.#confirm(chain, by, day);
  }

  /** What confirms the last of a chain of suspects at one level; undefined if nothing does. */
  #confirmationOf(
    suspect: Suspect,
    day: number,
    chain: readonly Suspect[],
    candidates: readonly Suspect[],
  ): Confirmation | undefined {
    const mine = toDollars(suspect.series, suspect.rate, day);
    const all = mine ? contributionsTo(this.carried, mine.quote, day) : [];
    const trusted = all.filter((other) => other.provider !== suspect.series.provider);
    const level = { day: suspect.day, rate: mine?.rate ?? Number.NaN };
    const repeated = chain.find(({ reason }) => rule.REPEATED_ERRORS.has(reason));
    // If the series has a later trusted figure, only suspects of other sources can confirm this one.
    if (suspect.series.day < suspect.day) {
      if (trusted.some((other) => rule.agree(other, level))) return 'other';
      const needed = rule.publicationsNeeded(suspect, repeated?.reason ?? suspect.reason);
      if (chain.length >= needed) return 'next';
    }
    const peers = candidates.filter((other) => speaksFor(other, suspect, day));
    const since = Math.min(suspect.day, ...peers.map((other) => other.day));
    const contradicting = trusted.filter(
      ({ provider, day: on }) => on >= since && !peers.some(({ series }) => series.provider === provider),
    );
    const found = { publications: chain.length, peers: peers.length, contradicting: contradicting.length };
    return rule.isAgreedOn(suspect, repeated !== undefined, found) ? 'peers' : undefined;
  }

  /** Trusts suspects of one series that were held back, and the suspects of the same table that follow them. */
  #confirm(chain: readonly Suspect[], by: Confirmation, today: number): void {
    if (chain.length === 0) return;
    const names = new Set(chain.map(({ series, day }) => `${series.key} ${day}`));
    const all = [...this.#waiting.values()].flat();
    for (const suspect of all.filter((one) => names.has(`${one.follows ?? one.series.key} ${one.day}`))) {
      const { series, day, rate } = suspect;
      Object.assign(suspect, { confirmedOn: today, confirmedBy: by });
      observeLate(series, day, rate);
      const left = this.#waiting.get(series)?.filter((one) => one.day > day) ?? [];
      if (series.day === day) this.#waiting.set(series, left);
    }
  }
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
