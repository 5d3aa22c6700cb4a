import { firstFrom } from '../../../core/columns/columns.js';
import type { YieldNow } from '../../../core/concurrency/event-loop.js';
import { type Blend, blendCarried } from '../../../core/domain/blend/blend.js';
import {
  type CarriedRows,
  eachObservationDate,
  type RawRow,
  seriesOf,
  WINDOW_DAYS,
} from '../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import type { SuspicionReason } from '../../../core/domain/blend/suspicion.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { type RawTable, rawRows } from './raw-table.js';
import { type RowsByPair, rowsByPair } from './rows-by-pair.js';

/** The blends of one observation date. */
export class DayBlends {
  constructor(
    readonly day: number,
    readonly blends: ReadonlyMap<string, Blend>,
    /** The suspect rates that are left out of them, by quote. */
    readonly suspects: ReadonlyMap<string, readonly SuspectShare[]>,
  ) {}

  /** What a quote's blend is made of and what was left out of it as suspect, by provider; undefined without a blend. */
  sharesOf(quote: string): readonly Share[] | undefined {
    const blend = this.blends.get(quote);
    return blend && [...countedShares(blend), ...(this.suspects.get(quote) ?? [])].sort(byKey);
  }
}

/** The same for many requests: what a blend is made of is put in order once. */
class SharedDayBlends extends DayBlends {
  readonly #shares = new Map<string, readonly Share[]>();

  override sharesOf(quote: string): readonly Share[] | undefined {
    const known = this.#shares.get(quote);
    if (known) return known;
    const shares = super.sharesOf(quote);
    if (shares) this.#shares.set(quote, shares);
    return shares;
  }
}

/** A provider's rate in units of the quote per dollar. */
export interface Share {
  /** Of the provider. */
  readonly key: string;
  readonly day: number;
  readonly rate: number;
  /** Whether it is left out of the blend as an outlier. */
  readonly excluded: boolean;
  /** Why it is left out of the blend: it is suspect. */
  readonly suspect: SuspicionReason | undefined;
}

type SuspectShare = Share & { readonly suspect: SuspicionReason };

interface SuspectRow {
  row: RawRow;
  day: number;
  reason: SuspicionReason;
}

/**
 * The blends of the requested observation dates in a window. Undefined after each other date whose rows were read, the 14 days
 * before the window included: a caller can let other work go first there too.
 */
export function* blendsOn(
  table: RawTable,
  from: number,
  to: number,
  isWanted: (day: number) => boolean,
): Generator<DayBlends | undefined> {
  const window = { from: fromDayNumber(from - WINDOW_DAYS), to: fromDayNumber(to) };
  const suspects = new Map<string, SuspectRow>();
  const rows = countedRows(table, from - WINDOW_DAYS, to, (suspect) => {
    const { provider, base, quote } = suspect.row;
    suspects.set(`${provider} ${base} ${quote}`, suspect);
  });
  for (const { date, carried } of eachObservationDate(rows, window)) {
    const day = dayNumber(date);
    if (day < from || !isWanted(day)) {
      yield undefined;
      continue;
    }
    const blends = blendCarried(carried, day).map((blend) => [blend.quote, blend] as const);
    yield new DayBlends(day, new Map(blends), suspectShares(suspects, carried, day));
  }
}

/** The rows of a table without those that are left out of blends, with which `leftOut` is called. */
export function* countedRows(
  table: RawTable,
  from: number,
  to: number,
  leftOut: (suspect: SuspectRow) => void = () => {},
): Generator<RawRow> {
  let index = firstFrom(table.days, from);
  for (const row of rawRows(table, from, to)) {
    const reason = table.leftOut.get(index);
    index++;
    if (reason) leftOut({ row, day: dayNumber(row.date), reason });
    else yield row;
  }
}

/** The suspect rates that a day's blends would have counted: no newer row of the pair has replaced them. */
function suspectShares(
  suspects: ReadonlyMap<string, SuspectRow>,
  carried: CarriedRows,
  today: number,
): Map<string, SuspectShare[]> {
  const shares = new Map<string, SuspectShare[]>();
  for (const { row, day, reason } of suspects.values()) {
    const { provider, base, quote, rate } = row;
    if (day > today || day < today - WINDOW_DAYS) continue;
    const series = seriesOf(carried, provider, base, quote);
    const dollars = series.day < day ? toDollars(series, rate, today) : undefined;
    if (!dollars) continue;
    const share = { key: provider, day, rate: dollars.rate, excluded: false, suspect: reason };
    shares.set(dollars.quote, [...(shares.get(dollars.quote) ?? []), share]);
  }
  return shares;
}

function countedShares({ contributions, excluded }: Blend): Share[] {
  return contributions.map(({ provider, day, rate }) => ({
    key: provider,
    day,
    rate,
    excluded: excluded.has(provider),
    suspect: undefined,
  }));
}

/** The order of the sources of a row. */
export function byKey(one: Pick<Share, 'key' | 'day'>, other: Pick<Share, 'key' | 'day'>): number {
  if (one.key !== other.key) return one.key < other.key ? -1 : 1;
  return one.day - other.day;
}

/** The days whose raw rows and blends are behind the newest rates, of which `asOf` is the newest day. */
export function windowOfNewest(asOf: number): { readFrom: number; from: number } {
  return { readFrom: asOf - 3 * WINDOW_DAYS, from: asOf - 2 * WINDOW_DAYS };
}

/** Raw rows shared by requests, with the blends that were last computed from them. */
export interface BlendedTable {
  readonly table: RawTable;
  /** Its rows by pair, found at the first call. */
  byPair(): RowsByPair;
  /** The blends of every observation date from one day to another. */
  blends(from: number, to: number): Promise<readonly DayBlends[]>;
  /** The same by day where they are computed already; else undefined. */
  computedBlends(from: number, to: number): ReadonlyMap<number, DayBlends> | undefined;
}

/** The blends are computed at their first use, and again for a different window. Several clients may wait for them. */
export function createBlendedTable(table: RawTable, yieldNow: YieldNow): BlendedTable {
  interface Known {
    from: number;
    to: number;
    blends: Promise<readonly DayBlends[]>;
    byDay?: ReadonlyMap<number, DayBlends>;
  }
  let known: Known | undefined;
  const knownFor = (from: number, to: number) =>
    known?.from === from && known.to === to ? known : undefined;

  async function compute(from: number, to: number): Promise<readonly DayBlends[]> {
    const blends = await blendsBetween(table, { from, to }, yieldNow);
    const current = knownFor(from, to);
    if (current) current.byDay = new Map(blends.map((blend) => [blend.day, blend]));
    return blends;
  }

  let pairs: RowsByPair | undefined;

  return {
    table,
    byPair() {
      pairs ??= rowsByPair(table);
      return pairs;
    },
    blends(from, to) {
      const current = knownFor(from, to) ?? { from, to, blends: compute(from, to) };
      known = current;
      return current.blends;
    },
    computedBlends: (from, to) => knownFor(from, to)?.byDay,
  };
}

async function blendsBetween(
  table: RawTable,
  { from, to }: { from: number; to: number },
  yieldNow: YieldNow,
): Promise<DayBlends[]> {
  const collected: DayBlends[] = [];
  for (const day of blendsOn(table, from, to, () => true)) {
    if (day) collected.push(new SharedDayBlends(day.day, day.blends, day.suspects));
    await yieldNow();
  }
  return collected;
}
