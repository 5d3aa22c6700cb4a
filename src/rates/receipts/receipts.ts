import { LRUCache } from 'lru-cache';
import { type Columns, lastUpTo, pegAt } from '../../../core/columns/columns.js';
import type { Database } from '../../../core/database/database.js';
import { type RunResponse, readResponses } from '../../../core/database/run-responses.js';
import { carryForward, PIVOT, seriesOf, WINDOW_DAYS } from '../../../core/domain/blend/carry-forward.js';
import { toDollars } from '../../../core/domain/blend/dollar-pivot.js';
import { dayNumber, fromDayNumber } from '../../../core/domain/dates.js';
import { BLEND_METHOD, periodOf, providerOf } from '../../../core/domain/providers.js';
import { inputName, isHeldBack, type Part, trustedInputs } from '../../../core/domain/receipt/inputs.js';
import type { Receipt, ReceiptInput, ReceiptSteps } from '../../../core/domain/receipt/schema.js';
import { sourceProofs } from '../../../core/domain/receipt/source-rate.js';
import {
  blendedCurrency,
  computeSteps,
  type PairOfSides,
  type Side,
} from '../../../core/domain/receipt/steps.js';
import { sealed } from '../../../core/domain/receipt/verify.js';
import { OPPOSITE, sideOfRow } from '../../../core/domain/sides.js';
import { periodStart } from '../../../core/domain/validity.js';
import { carriedIndex } from '../snapshot/pair.js';
import type { PairRate } from '../snapshot/rows.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { windowOfNewest } from '../sources/day-blends.js';
import type { Reader } from '../sources/raw-reads.js';
import type { RawStore } from '../sources/raw-store.js';
import { judged } from './judgements.js';
import {
  type ProvenanceRow,
  type RowsByPair,
  rowAt,
  rowsBehind,
  rowsByPair,
  type WantedCurrency,
} from './rows-behind.js';

interface ProvenRate {
  snapshot: Snapshot;
  /** One provider for its own rate, or several to blend; undefined for the blend of all, with pegs applied. */
  providers: readonly string[] | undefined;
  side?: ProvenanceRow['side'];
  base: string;
  quote: string;
  /** The requested day number. */
  asked: number;
  columns: Columns;
  found: PairRate;
  /** The URL that returns the same rate for ever. */
  url: string;
}

/** Throws the errors of the raw store and the database, and an error if the rows result in another rate. */
export type MakeReceipt = (rate: ProvenRate, reader: Reader) => Promise<Receipt>;

type ProvenInput = ProvenanceRow & Part & Pick<ReceiptInput, 'judgement'>;

interface Proof {
  inputs: readonly ProvenInput[];
  steps: ReceiptSteps;
}

export function createReceipts({ raw, database }: { raw: RawStore; database: Database }): MakeReceipt {
  const evidenceFor = openEvidence(database);
  return async (rate, reader) => {
    const { snapshot, providers, url } = rate;
    const [only, ...others] = providers ?? [];
    const proof = await (only !== undefined && others.length === 0
      ? proofOfSource(raw, { ...rate, provider: only }, reader)
      : proofOfBlend(raw, rate, reader));
    const evidenceOf = await evidenceFor(proof.inputs);
    return sealed({
      url,
      known_at: new Date(snapshot.knownAt).toISOString(),
      method: BLEND_METHOD,
      inputs: proof.inputs.map(({ recordedAt, run, ...input }) =>
        sealed({
          ...input,
          recorded_at: recordedAt.toISOString(),
          evidence: evidenceOf({ recordedAt, run }),
        }),
      ),
      steps: proof.steps,
    });
  };
}

/** Sums of the same numbers are equal; means of columns may differ from them in the last bit. */
const ROUNDING = 1e-12;

function isRateOf({ ratio }: ReceiptSteps, { found }: ProvenRate): boolean {
  return Math.abs(ratio.rate / found.rate - 1) <= ROUNDING && dayNumber(ratio.date) === found.day;
}

function anotherRate({ base, quote, found }: ProvenRate): Error {
  const date = fromDayNumber(found.day);
  return new Error(`the rows do not make the rate of ${base}/${quote} of ${date}: ${found.rate}`);
}

async function proofOfBlend(raw: RawStore, rate: ProvenRate, reader: Reader): Promise<Proof> {
  const sides = sidesOf(rate);
  const blended = new Map<string, WantedCurrency>();
  for (const side of [sides.base, sides.quote]) {
    const currency = blendedCurrency(side);
    const day = dayNumber(side.date);
    if (currency !== undefined)
      blended.set(`${currency} ${day}`, { currency, from: day - WINDOW_DAYS, to: day });
  }
  const wanted = [...blended.values()];
  const { behind, read } = await readRowsBehind(raw, rate, wanted, reader);
  const ofCurrency = (currency: string) => behind.filter((row) => row.for === currency);
  const inputs = inOrder(wanted.flatMap(({ currency, to }) => inputsOf(ofCurrency(currency), currency, to)));
  const steps = computeSteps(
    sides,
    inputs.filter((input) => !isHeldBack(input)),
  );
  if (!isRateOf(steps, rate)) throw anotherRate(rate);
  const { snapshot } = rate;
  return { inputs: read ? await judged(inputs, { raw, snapshot, ...read }, reader) : inputs, steps };
}

async function proofOfSource(
  raw: RawStore,
  rate: ProvenRate & { provider: string },
  reader: Reader,
): Promise<Proof> {
  const { snapshot, provider, side, base, quote, found, asked } = rate;
  const pivot = providerOf(provider)?.pivot_currency ?? null;
  const period = periodOf(provider);
  const window = period
    ? { from: periodStart[period](asked), to: asked }
    : { from: found.day - WINDOW_DAYS, to: found.day };
  const currencies = [...new Set([base, quote, pivot ?? PIVOT])];
  const behind: ProvenanceRow[] = [];
  for (const one of side ? [side, OPPOSITE[side]] : [undefined]) {
    const selection = { ...window, currencies, providers: [provider], isRecordWanted: true, side: one };
    const table = await raw.read(snapshot, selection, reader);
    for (const index of table.days.keys()) {
      const row = { for: quote, ...rowAt(table, index), side: one };
      if (sideOfRow(side, rate, row) === one) behind.push(row);
    }
  }
  const pair = { provider, base, quote, date: fromDayNumber(found.day) };
  for (const { inputs, steps } of sourceProofs(pair, behind, pivot))
    if (isRateOf(steps, rate)) return { inputs: inOrder(inputs), steps };
  throw anotherRate(rate);
}

/** Each once, by name. */
function inOrder(inputs: readonly ProvenInput[]): ProvenInput[] {
  const byName = new Map(inputs.map((input) => [inputName(input), input]));
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, input]) => input);
}

async function readRowsBehind(
  raw: RawStore,
  { snapshot, providers }: ProvenRate,
  wanted: readonly WantedCurrency[],
  reader: Reader,
): Promise<{ behind: ProvenanceRow[]; read?: { rows: RowsByPair; from: number; isComplete: boolean } }> {
  if (wanted.length === 0) return { behind: [] };
  // The evidence about a row is of the days before it as well.
  const first = Math.min(...wanted.map((each) => each.from)) - WINDOW_DAYS;
  const to = Math.max(...wanted.map((each) => each.to));
  const { readFrom } = windowOfNewest(snapshot.days.days.at(-1) ?? to);
  // The newest rows may be in memory.
  const isRecent = first >= readFrom && !snapshot.past;
  const from = isRecent ? readFrom : first;
  const currencies = [...new Set([...wanted.map(({ currency }) => currency), PIVOT])];
  const selection = { from, to, currencies, isRecordWanted: true, ...(providers && { providers }) };
  const table = await (isRecent ? raw.since(snapshot, from, reader) : raw.read(snapshot, selection, reader));
  const rows = rowsByPair(table);
  return { behind: rowsBehind(rows, wanted, providers), read: { rows, from, isComplete: isRecent } };
}

/** If the pair is the peg itself, both have the day of the row: the anchor may not be published on it. */
function sidesOf({ columns, base, quote, found, providers }: ProvenRate): PairOfSides {
  const index = lastUpTo(columns.days, found.day);
  const pegOn = (currency: string, at: number) => (providers ? undefined : pegAt(columns, currency, at));
  const isPeg = pegOn(quote, index)?.base === base || pegOn(base, index)?.base === quote;
  const side = (currency: string): Side => {
    const isRated = !isPeg && columns.byQuote.has(currency);
    const at = isRated ? carriedIndex(columns, currency, found.day) : index;
    const date = fromDayNumber(columns.days[at] ?? found.day);
    return { currency, date, peg: pegOn(currency, at) };
  };
  return { base: side(base), quote: side(quote), date: fromDayNumber(found.day) };
}

/** Returns the rows of a day (day number) that counted, were left out, or only convert other currencies to dollars. */
export function inputsOf(rows: readonly ProvenanceRow[], currency: string, day: number): ProvenInput[] {
  const trusted = rows.filter(({ suspect }) => suspect === undefined);
  const carried = carryForward(trusted, fromDayNumber(day));
  const leftOut = rows.flatMap(({ suspect, ...row }): ProvenInput[] => {
    if (suspect === undefined) return [];
    const { provider, date, base, quote, rate } = row;
    const series = seriesOf(carried, provider, base, quote);
    const isLeftOut = series.day < dayNumber(date) && toDollars(series, rate, day)?.quote === currency;
    return isLeftOut ? [{ ...row, left_out: `suspect: ${suspect}` }] : [];
  });
  return [...trustedInputs(trusted, currency, day), ...leftOut];
}

/** Returns the responses that the run of a row read; null if they were not recorded. */
type EvidenceOf = (row: Recorded) => ReceiptInput['evidence'];

type Recorded = Pick<ProvenanceRow, 'run' | 'recordedAt'>;

/** A step of a backfill may have read hundreds of responses. */
const MOST_RESPONSES = 20;
/** Rows behind the newest rates come from some hundred runs. */
const KEPT_RUNS = 1_000;

/** Opens a cached reader, as the responses of a run never change. The reader throws errors of the database. */
export function openEvidence(database: Database): (rows: readonly Recorded[]) => Promise<EvidenceOf> {
  const kept = new LRUCache<string, { evidence: ReceiptInput['evidence'] }>({ max: KEPT_RUNS });
  return async (rows) => {
    const found = new Map(rows.map((row) => [nameOf(row), kept.get(nameOf(row))]));
    const missing = rows.filter((row) => row.run !== null && !found.get(nameOf(row)));
    const runs = new Set(missing.map(({ run }) => run ?? 0));
    const responses = await readResponses(database, [...runs], MOST_RESPONSES);
    for (const row of missing) {
      const read = { evidence: responses.get(row.run ?? 0)?.map(evidenceOf) ?? null };
      kept.set(nameOf(row), read);
      found.set(nameOf(row), read);
    }
    return (row) => found.get(nameOf(row))?.evidence ?? null;
  };
}

/** After a restore of the database, another run may have the same number, but not at the same instant. */
function nameOf({ run, recordedAt }: Recorded): string {
  return `${run} ${recordedAt.getTime()}`;
}

function evidenceOf({ url, fetchedAt, sha256, bytes }: RunResponse) {
  return { url, fetched_at: fetchedAt.toISOString(), sha256, bytes };
}
