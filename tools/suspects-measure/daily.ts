import {
  type CarriedRows,
  createCarriedRows,
  observe,
  type RawRow,
  type Series,
  seriesOf,
  WINDOW_DAYS,
} from '../../core/domain/blend/carry-forward.js';
import type { Contribution } from '../../core/domain/blend/dollar-pivot.js';
import { createJudge, type Judge } from '../../core/domain/blend/judge.js';
import { isHeld, type Suspect } from '../../core/domain/blend/suspect.js';
import { dayNumber } from '../../core/domain/dates.js';

/** What the judgement of a day begins with. */
interface Start {
  carried: CarriedRows;
  judge: Judge;
}

/** A day of rows that was judged as they are. */
export interface JudgedDay {
  day: number;
  rows: readonly RawRow[];
  /** The last believed figure of the pair of each row. */
  last: readonly Readonly<Series>[];
  contributions: ReadonlyMap<string, readonly Contribution[]>;
  /** All suspects up to this day. */
  suspects: readonly Suspect[];
  /** Begins the judgement of the day once more. */
  start(): Start;
}

/** Judges rows, which are sorted by date, day by day: each day anew, as if each had been stored by itself. */
export function* judgeDaily(rows: readonly RawRow[]): Generator<JudgedDay> {
  const history = new Map<string, Figures>();
  let suspects: readonly Suspect[] = [];
  for (const [day, today] of byDay(rows)) {
    const before = suspects;
    const start = () => startOf(history, before);
    const { carried, judge } = start();
    const observations = observationsOf(carried, today);
    const last = observations.map(({ series }) => ({ ...series }));
    const contributions = judge.observeDay(day, observations);
    suspects = judge.suspects;
    yield { day, rows: today, last, contributions, suspects, start };
    for (const row of today) remember(history, row, day);
  }
}

/** The rates that are held back of a day whose rows, in part, have other figures. */
export function heldBackOf(
  { day, rows, start }: JudgedDay,
  wrong: ReadonlyMap<RawRow, number>,
): ReadonlySet<string> {
  const { carried, judge } = start();
  const changed = rows.map((row) => ({ ...row, rate: wrong.get(row) ?? row.rate }));
  judge.observeDay(day, observationsOf(carried, changed));
  const held = judge.suspects.filter((suspect) => suspect.day === day && isHeld(suspect));
  return new Set(held.map(({ series }) => series.key));
}

function observationsOf(carried: CarriedRows, rows: readonly RawRow[]) {
  return rows.map(({ provider, base, quote, rate }) => ({
    series: seriesOf(carried, provider, base, quote),
    rate,
  }));
}

/** All figures of a pair of a provider. */
interface Figures extends Pick<RawRow, 'provider' | 'base' | 'quote'> {
  figures: { day: number; rate: number }[];
}

/** What is read from the database before a day is judged: the last rates that are not held back, and the suspects. */
function startOf(history: ReadonlyMap<string, Figures>, known: readonly Suspect[]): Start {
  const carried = createCarriedRows();
  const held = new Set(known.filter((one) => isHeld(one)).map(({ series, day }) => `${series.key} ${day}`));
  for (const [key, { provider, base, quote, figures }] of history) {
    const isBelieved = ({ day }: { day: number }) => !held.has(`${key} ${day}`);
    const last = figures.findLast(isBelieved);
    for (const { day, rate } of last ? [last, ...figures.slice(-WINDOW_DAYS - 1).filter(isBelieved)] : [])
      observe(seriesOf(carried, provider, base, quote), day, rate);
  }
  const suspects = known.map((suspect) => {
    const { provider, base, quote } = suspect.series;
    return { ...suspect, series: seriesOf(carried, provider, base, quote) };
  });
  return { carried, judge: createJudge(carried, suspects) };
}

function remember(history: Map<string, Figures>, { provider, base, quote, rate }: RawRow, day: number): void {
  const key = `${provider} ${base} ${quote}`;
  const known = history.get(key);
  if (known) known.figures.push({ day, rate });
  else history.set(key, { provider, base, quote, figures: [{ day, rate }] });
}

function* byDay(rows: readonly RawRow[]): Generator<[day: number, rows: readonly RawRow[]]> {
  for (let start = 0; start < rows.length; ) {
    const date = rows[start]?.date ?? '';
    let end = start;
    while (rows[end]?.date === date) end++;
    yield [dayNumber(date), rows.slice(start, end)];
    start = end;
  }
}
