import {
  createCarriedRows,
  observe,
  PIVOT,
  type RawRow,
  seriesOf,
} from '../../../core/domain/blend/carry-forward.js';
import { evidenceOf, type Observation } from '../../../core/domain/blend/evidence.js';
import type { SuspectStatus } from '../../../core/domain/blend/suspect.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { isHeldBack } from '../../../core/domain/receipt/inputs.js';
import { isTrusted, type Judgement, suspicionReason } from '../../../core/domain/receipt/judgement.js';
import type { ReceiptInput } from '../../../core/domain/receipt/schema.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import type { RawTable } from '../sources/raw-table.js';
import { type PairRows, type RowsByPair, rowsByPair } from './rows-behind.js';

type Pair = Pick<RawRow, 'provider' | 'base' | 'quote'>;

interface Known {
  raw: RawStore;
  snapshot: Snapshot;
  /** The rows of some days, and the first of these (day number). */
  rows: RowsByPair;
  from: number;
  /** Whether they are of all currencies. */
  isComplete: boolean;
}

/** A row behind a blended rate, held back if it is suspect. */
type Row = RawRow & Pick<ReceiptInput, 'left_out'>;

/** Adds to each of the rows behind a rate how it was judged. Throws the errors of the raw store. */
export async function judged<Own extends Row>(
  behind: readonly Own[],
  { raw, snapshot, rows, from, isComplete }: Known,
  reader: Reader,
): Promise<(Own & { judgement: Judgement })[]> {
  const recent = behind.map((row) => ({ ...row, judgement: { last: lastIn(rows, row) } }));
  if (recent.every(isPlain)) return recent;
  const older = rowsByPair(await raw.lastBefore(snapshot, from, reader));
  const known = recent.map((row) => ({
    ...row,
    judgement: { last: row.judgement.last ?? lastIn(older, row) },
  }));
  const suspects = known.filter((row) => !isPlain(row));
  if (suspects.length === 0) return known;
  const states = await raw.statesOf(snapshot, suspects, reader);
  const stateOf = new Map(states.map((state) => [nameOf(state), state]));
  const to = Math.max(...suspects.map(({ date }) => dayNumber(date)));
  const all = isComplete ? rows : rowsByPair(await raw.read(snapshot, { from, to }, reader));
  const judge = (row: Row): Judgement => {
    const state = stateOf.get(nameOf(row));
    const computed = judgementFrom(row, all, older);
    const { last, others, usual } = state?.evidence ?? {};
    const stored = { last, others: others && [...others], ...(usual !== undefined && { usual }) };
    // Rows that were confirmed later may have been held back when this row was judged.
    const reason = suspicionReason(row, computed);
    const isSwap = row.left_out === 'suspect: swapped' && reason !== undefined;
    const isSame = !isHeldBack(row) || isSwap || row.left_out === `suspect: ${reason}`;
    const judgement = isSame ? computed : stored;
    return { ...judgement, ...verdictOn(row, judgement, state?.status) };
  };
  return known.map((row) => (isPlain(row) ? row : { ...row, judgement: judge(row) }));
}

/** Whether its last rate alone shows that a row was trusted. */
function isPlain(row: Row & { judgement: Judgement }): boolean {
  return !isHeldBack(row) && row.judgement.last !== undefined && isTrusted(row, row.judgement);
}

/** The verdict on a suspected rate, or that of an operator on any rate. */
function verdictOn(row: Row, judgement: Judgement, status: SuspectStatus | undefined): Judgement {
  if (status === 'accepted' || status === 'rejected') return { verdict: status };
  const isConfirmed = !isHeldBack(row) && suspicionReason(row, judgement) !== undefined;
  return isConfirmed ? { verdict: 'confirmed' } : {};
}

/** Recomputes the evidence about a row that the judge had, from the rows of all sources and the last ones before these. */
function judgementFrom(row: RawRow, rows: RowsByPair, older: RowsByPair): Judgement {
  const day = dayNumber(row.date);
  const carried = createCarriedRows();
  const seriesOfPair = ({ provider, base, quote }: Pair) => seriesOf(carried, provider, base, quote);
  const series = seriesOfPair(row);
  const observations: Observation[] = [];
  for (const { table, pairs } of [relatedTo(row, older), relatedTo(row, rows)]) {
    for (const pair of pairs) {
      const own = seriesOfPair(pair);
      for (const index of pair.indices) {
        const [on = day, rate = Number.NaN] = [table.days[index], table.rates[index]];
        if (on > day || (on === day && own === series)) break;
        if (!table.leftOut.has(index)) observe(own, on, rate);
        else if (on === day) observations.push({ series: own, rate });
      }
    }
  }
  observations.sort((one, other) => (one.series.key < other.series.key ? -1 : 1));
  const { last, others, usual } = evidenceOf(carried, day, { series, rate: row.rate, observations });
  return {
    last: last && { date: fromDayNumber(last.day), rate: last.rate },
    others: others.map(({ provider, day: on, rate }) => ({ provider, date: fromDayNumber(on), rate })),
    ...(usual > 0 && { usual }),
  };
}

/** The pairs with the currencies of a row besides the dollar, and those with which their providers convert them to dollars. */
function relatedTo(row: Pair, rows: RowsByPair): { table: RawTable; pairs: Iterable<PairRows> } {
  const pairs = new Set<PairRows>();
  for (const currency of [row.base, row.quote]) {
    if (currency === PIVOT) continue;
    for (const pair of rows.withCurrency(currency)) {
      pairs.add(pair);
      for (const code of [pair.base, pair.quote]) {
        const bridges = [rows.of(pair.provider, PIVOT, code), rows.of(pair.provider, code, PIVOT)];
        for (const bridge of bridges) if (bridge) pairs.add(bridge);
      }
    }
  }
  return { table: rows.table, pairs };
}

/** The last row of the same pair before a row, without rows that were left out. */
function lastIn({ table, of }: RowsByPair, row: RawRow): Judgement['last'] {
  const { indices = [] } = of(row.provider, row.base, row.quote) ?? {};
  const day = dayNumber(row.date);
  const index = indices.findLast((at) => (table.days[at] ?? day) < day && !table.leftOut.has(at));
  if (index === undefined) return undefined;
  return { date: fromDayNumber(table.days[index] ?? 0), rate: table.rates[index] ?? Number.NaN };
}

function nameOf({ provider, base, quote, date, rate }: RawRow): string {
  return `${provider} ${base} ${quote} ${date} ${rate}`;
}
