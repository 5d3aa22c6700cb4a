import {
  type CarriedRows,
  createCarriedRows,
  observe,
  type RawRow,
  seriesOf,
  WINDOW_DAYS,
} from '../../../core/domain/blend/carry-forward.js';
import { evidenceOf } from '../../../core/domain/blend/evidence.js';
import type { SuspectStatus } from '../../../core/domain/blend/suspect.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { isTrusted, type Judgement, suspicionReason } from '../../../core/domain/receipt/judgement.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { countedRows } from '../sources/day-blends.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import type { ProvenanceRow } from './rows-behind.js';
import type { RowsByPair } from './rows-by-pair.js';

interface Known {
  raw: RawStore;
  snapshot: Snapshot;
  /** The rows of some days, and the first of these (day number). */
  rows: RowsByPair;
  from: number;
}

/** Returns how each of the rows behind a rate was judged. Throws the errors of the raw store. */
export async function judgementsOf(
  behind: readonly ProvenanceRow[],
  { raw, snapshot, rows, from }: Known,
  reader: Reader,
): Promise<(row: ProvenanceRow) => Judgement> {
  const judgements = new Map<string, Judgement>(
    behind.map((row) => [nameOf(row), { last: lastIn(rows, row) }]),
  );
  const firsts = behind.filter((row) => !judgements.get(nameOf(row))?.last);
  if (firsts.length > 0) {
    const only = [...new Set(firsts.map(pairOf))];
    const older = await raw.lastBefore(snapshot, from, { only }, reader);
    const byPair = new Map(older.map(({ date, rate, ...pair }) => [pairOf(pair), { date, rate }]));
    for (const row of firsts) judgements.set(nameOf(row), { last: byPair.get(pairOf(row)) });
  }
  const suspects = behind.filter((row) => isLeftOutOrSuspect(row, judgements.get(nameOf(row))));
  if (suspects.length > 0) {
    const states = await raw.statesOf(snapshot, suspects, reader);
    const stateOf = new Map(states.map((state) => [nameOf(state), state]));
    const evidence = await carriedBefore(suspects, { raw, snapshot }, reader);
    for (const row of suspects) {
      const state = stateOf.get(nameOf(row));
      const computed = evidence(row);
      const { last, others, usual } = state?.evidence ?? {};
      const stored = { last, others: others && [...others], ...(usual !== undefined && { usual }) };
      // Rows that were confirmed later may have been held back when this row was judged.
      const suspicion = suspicionReason(row, computed);
      const isSwap = row.suspicion === 'swapped' && suspicion !== undefined;
      const isSame = row.suspicion === null || isSwap || suspicion === row.suspicion;
      const judgement = isSame ? computed : stored;
      judgements.set(nameOf(row), { ...judgement, ...verdictOn(row, judgement, state?.status) });
    }
  }
  return (row) => judgements.get(nameOf(row)) ?? { last: undefined };
}

/** The verdict on a suspected rate, or that of an operator on any rate. */
function verdictOn(row: ProvenanceRow, judgement: Judgement, status: SuspectStatus | undefined): Judgement {
  if (status === 'accepted' || status === 'rejected') return { verdict: status };
  const isConfirmed = row.suspicion === null && suspicionReason(row, judgement) !== undefined;
  return isConfirmed ? { verdict: 'confirmed' } : {};
}

function isLeftOutOrSuspect(row: ProvenanceRow, judgement: Judgement | undefined): boolean {
  return row.suspicion !== null || !judgement?.last || !isTrusted(row, judgement);
}

/** Recomputes the evidence about rows that the judge had, from the rows of all sources. */
async function carriedBefore(
  suspects: readonly ProvenanceRow[],
  { raw, snapshot }: Pick<Known, 'raw' | 'snapshot'>,
  reader: Reader,
): Promise<(row: ProvenanceRow) => Judgement> {
  const days = suspects.map(({ date }) => dayNumber(date));
  const from = Math.min(...days) - WINDOW_DAYS;
  const table = await raw.read(snapshot, { from, to: Math.max(...days) }, reader);
  const heldBack: RawRow[] = [];
  const trusted = [...countedRows(table, from, Math.max(...days), ({ row }) => heldBack.push(row))];
  const older = await raw.lastBefore(snapshot, from, {}, reader);
  return (row) => {
    const day = dayNumber(row.date);
    const carried = createCarriedRows();
    const others = [...older, ...trusted].filter(
      (one) => one.date <= row.date && nameOf(one) !== nameOf(row),
    );
    for (const one of others) observe(seriesIn(carried, one), dayNumber(one.date), one.rate);
    const beside = heldBack
      .filter((one) => one.date === row.date && nameOf(one) !== nameOf(row))
      .sort((one, other) => (pairOf(one) < pairOf(other) ? -1 : 1));
    const observations = beside.map((one) => ({ series: seriesIn(carried, one), rate: one.rate }));
    const evidence = evidenceOf(carried, day, {
      series: seriesIn(carried, row),
      rate: row.rate,
      observations,
    });
    return {
      last: evidence.last && { date: fromDayNumber(evidence.last.day), rate: evidence.last.rate },
      others: evidence.others.map(({ provider, day: on, rate }) => ({
        provider,
        date: fromDayNumber(on),
        rate,
      })),
      ...(evidence.usual > 0 && { usual: evidence.usual }),
    };
  };
}

function seriesIn(carried: CarriedRows, { provider, base, quote }: Omit<RawRow, 'date' | 'rate'>) {
  return seriesOf(carried, provider, base, quote);
}

/** The last row of the same pair before a row, without rows that were left out. */
function lastIn({ table, of }: RowsByPair, row: ProvenanceRow): Judgement['last'] {
  const { indices = [] } = of(row.provider, row.base, row.quote) ?? {};
  const day = dayNumber(row.date);
  const index = indices.findLast((at) => (table.days[at] ?? day) < day && !table.leftOut.has(at));
  if (index === undefined) return undefined;
  return { date: fromDayNumber(table.days[index] ?? 0), rate: table.rates[index] ?? Number.NaN };
}

function pairOf({ provider, base, quote }: Omit<RawRow, 'date' | 'rate'>): string {
  return `${provider} ${base} ${quote}`;
}

function nameOf(row: RawRow): string {
  return `${pairOf(row)} ${row.date} ${row.rate}`;
}
