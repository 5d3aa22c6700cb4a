import { groupBy } from '../group-by.js';
import { PIVOT, type Series } from './carry-forward.js';
import { byKey, type Observation } from './evidence.js';
import type { Suspect } from './suspect.js';
import { type Figure, ORDINARY, ORDINARY_MOVE } from './suspicion.js';

/** One provider's figures of a day that all moved by the same factor. The leader is judged for all of them. */
export interface MovedTable {
  own: string;
  /** The pair with the dollar if the table has one, else the first. */
  leader: Observation;
  members: ReadonlySet<Series>;
  /** The last figures of all pairs of the table, moved by the same factor. */
  last: ReadonlyMap<Series, Figure>;
}

/** The tables of a day whose own currency moved, by provider. */
export function movedTables(observations: readonly Observation[]): ReadonlyMap<string, MovedTable> {
  const byProvider = groupBy(observations, ({ series }) => series.provider);
  const tables = [...byProvider.values()].flatMap((figures) => movedTable(figures) ?? []);
  return new Map(tables.map((table) => [table.leader.series.provider, table]));
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
  const inOrder = table.toSorted(byKey);
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
export function follower(leader: Suspect, { series, rate }: Observation, { own }: MovedTable): Suspect {
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
  const codes = figures.flatMap(({ series }) => [series.base, series.quote]);
  const [first] = [...groupBy(codes, (code) => code)].sort(
    ([one, all], [other, others]) => others.length - all.length || (one < other ? -1 : 1),
  );
  return first?.[0] ?? '';
}

/** The median. Of two middle values it returns the one closer to zero, since with two figures one may have moved alone. */
function lowerMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return Math.abs(low) < Math.abs(high) ? low : high;
}
