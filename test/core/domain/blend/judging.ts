import {
  createCarriedRows,
  observe,
  type Series,
  seriesOf,
} from '../../../../core/domain/blend/carry-forward.js';
import { type Decision, Judge } from '../../../../core/domain/blend/judge.js';
import { isHeld, type Suspect } from '../../../../core/domain/blend/suspect.js';

/** Rates of consecutive days by `PROVIDER BASE/QUOTE`; undefined where there is none. */
export type Table = Readonly<Record<string, readonly (number | undefined)[]>>;

export interface WalkOptions {
  /** The days of the columns of the table; 1, 2, 3 and so on without it. */
  days?: readonly number[] | undefined;
  /** What an operator accepted or rejected, by `DAY PROVIDER BASE/QUOTE RATE`. */
  decided?: Readonly<Record<string, boolean>>;
  /** Called before each day: what is judged with from then on. */
  between?: (state: State, day: number) => State;
}

export interface State {
  carried: ReturnType<typeof createCarriedRows>;
  judge: Judge;
}

/** Judges a table day by day. */
export function walk(table: Table, { days, decided = {}, between = (state) => state }: WalkOptions = {}) {
  const names = Object.keys(table);
  const length = Math.max(...names.map((name) => table[name]?.length ?? 0));
  const dayAt = (column: number) => days?.[column] ?? column + 1;
  const carried = createCarriedRows();
  let state: State = { carried, judge: new Judge(carried, [], decisionsOn(carried, decided)) };
  for (let column = 0; column < length; column++) {
    state = between(state, dayAt(column));
    const observations = names.flatMap((name) => {
      const rate = table[name]?.[column];
      return rate === undefined ? [] : [{ series: named(state.carried, name), rate }];
    });
    if (observations.length > 0) state.judge.observeDay(dayAt(column), observations);
  }
  const { suspects } = state.judge;
  /** What is trusted, by what is known at the end. */
  const trusted = () => {
    const rejected = decisionsOn(carried, decided).filter(({ isAccepted }) => !isAccepted);
    const held = new Set(
      [...rejected, ...suspects.filter((one) => isHeld(one))].map(({ series, day }) => series.key + day),
    );
    const rows = createCarriedRows();
    for (const name of names)
      for (const [column, rate] of (table[name] ?? []).entries()) {
        const series = named(rows, name);
        const day = dayAt(column);
        if (rate !== undefined && !held.has(series.key + day)) observe(series, day, rate);
      }
    return rows;
  };
  return {
    suspects,
    carried: state.carried,
    trusted,
    /** Every suspect as `DAY PROVIDER PAIR RATE reason`, and `held`, or the day and kind of its confirmation. */
    described: suspects.map(describeSuspect),
    /** What became of suspects. */
    states: suspects.map((one) => stateOf(one)),
  };
}

/** The series of `PROVIDER BASE/QUOTE`. */
export function named(carried: State['carried'], name: string): Series {
  const [provider = '', base = '', quote = ''] = name.split(/[ /]/);
  return seriesOf(carried, provider, base, quote);
}

function decisionsOn(carried: State['carried'], decided: Readonly<Record<string, boolean>>): Decision[] {
  return Object.entries(decided).map(([text, isAccepted]) => {
    const [day, provider, pair, rate] = text.split(' ');
    const series = named(carried, `${provider} ${pair}`);
    return { day: Number(day), series, rate: Number(rate), isAccepted };
  });
}

export function describeSuspect(suspect: Suspect): string {
  const { series, day, rate, reason } = suspect;
  return `${day} ${series.provider} ${series.base}/${series.quote} ${rate} ${reason}: ${stateOf(suspect)}`;
}

function stateOf({ confirmedOn, confirmedBy }: Suspect): string {
  return confirmedOn === undefined ? 'held' : `${confirmedBy} ${confirmedOn}`;
}
