import type { Verdict } from '../../core/database/decisions.js';
import { readSuspects } from '../../core/database/suspects.js';
import { inTransaction } from '../../core/database/transactions.js';
import { addDays, type CalendarDate, isWeekend } from '../../core/domain/dates.js';
import { applyDecision } from '../../worker/blend/decisions.js';
import type { RateRow } from '../../worker/feeds/feed.js';
import { storeAndBlend } from '../../worker/ingest/store.js';
import type { TestDatabase } from './postgres.js';
import { publish } from './rates.js';

/** One thing that is recorded, and the instant at which it is. */
export type StoreEvent = { at: Date } & (
  | { kind: 'rows'; provider: string; rows: RateRow[] }
  /** An operator decides on the oldest rate that is held back, or takes the decision on the oldest one back. */
  | { kind: 'decision'; status: Verdict }
);

const PAIRS: Record<string, string[]> = {
  ECB: ['EUR/USD', 'EUR/GBP', 'EUR/JPY', 'EUR/CHF'],
  BOC: ['USD/CAD', 'EUR/CAD', 'GBP/CAD', 'JPY/CAD'],
  FRED: ['EUR/USD', 'USD/JPY', 'USD/CHF'],
  IMF: ['USD/JPY', 'USD/GBP', 'USD/KWD', 'USD/CHF'],
  NBU: ['USD/UAH', 'EUR/UAH', 'GBP/UAH', 'CHF/UAH'],
  RBM: ['USD/MWK', 'EUR/MWK', 'GBP/MWK'],
};
const FIRST_DAY = '2026-01-12';

/**
 * Some weeks of a store: what six providers publish, with corrections, late rows, rates that are suspect, decisions of
 * an operator, and two backfills of what came before. The same for the same random numbers in [0, 1).
 */
export function storeEvents(random: () => number, count: number): StoreEvent[] {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const providers = Object.keys(PAIRS);
  const published = new Map<string, RateRow[]>();
  const missing: { provider: string; rows: RateRow[] }[] = [];
  const next = new Map(providers.map((provider) => [provider, FIRST_DAY]));
  const events: StoreEvent[] = [];
  let [day, minute] = [FIRST_DAY, 0];

  const tableOf = (provider: string, from: CalendarDate, to = from) =>
    publish(provider, PAIRS[provider] ?? [], from, to, { weekends: provider === 'NBU' }).map(
      ({ provider: _, ...row }) => ({ ...row, rate: nudged(row.rate, 0.004 * (random() - 0.5)) }),
    );
  const rows = (provider: string, stored: RateRow[]) => {
    const newest = new Map((published.get(provider) ?? []).map((row) => [keyOf(row), row]));
    for (const row of stored) newest.set(keyOf(row), row);
    published.set(provider, [...newest.values()]);
    return { kind: 'rows' as const, provider, rows: stored };
  };
  const daily = (provider: string) => {
    const from = next.get(provider) ?? FIRST_DAY;
    next.set(provider, addDays(day, 1));
    const table = from > day ? [] : tableOf(provider, from, day);
    const late = table.filter(({ date }) => date < day && random() < 0.2);
    if (late.length > 0) missing.push({ provider, rows: late });
    const wrong = random() < 0.15 ? pick(table) : undefined;
    const factor = pick([10, 0.1, 1.4]);
    const stored = table.filter((row) => !late.includes(row));
    return rows(
      provider,
      stored.map((row) => (row === wrong ? { ...row, rate: row.rate * factor } : row)),
    );
  };
  const correction = (provider: string) => {
    const known = published.get(provider) ?? [];
    if (known.length === 0) return daily(provider);
    const restate = (row: RateRow) => ({ ...row, rate: nudged(row.rate, 0.02 * (random() - 0.5)) });
    return rows(provider, [pick(known), pick(known)].map(restate));
  };
  const backfill = (provider: string) =>
    rows(provider, tableOf(provider, addDays(FIRST_DAY, -60), addDays(FIRST_DAY, -1)));

  const backfills = new Map([
    [Math.floor(count / 3), 'ECB'],
    [Math.floor((2 * count) / 3), 'BOC'],
  ]);
  for (let number = 0; events.length < count; number++) {
    if (number % 4 === 3) [day, minute] = [addDays(day, 1), 0];
    minute += 7;
    const time = [14 + Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0'));
    const at = new Date(`${day}T${time.join(':')}:00Z`);
    const before = backfills.get(events.length);
    const chance = random();
    const late = chance < 0.1 ? missing.shift() : undefined;
    if (number === 0) events.push({ at, ...daily('ECB') });
    else if (before) events.push({ at, ...backfill(before) });
    else if (late) events.push({ at, ...rows(late.provider, late.rows) });
    else if (chance < 0.3) events.push({ at, ...correction(pick(providers)) });
    else if (chance < 0.38)
      events.push({ at, kind: 'decision', status: pick(['accepted', 'rejected', 'held'] as const) });
    else events.push({ at, ...daily(pick(providers)) });
  }
  return events;
}

/** Does in a store what an event says. */
export async function apply(database: TestDatabase, event: StoreEvent): Promise<void> {
  if (event.kind === 'rows') {
    await inTransaction(database, (transaction) => storeAndBlend(transaction, event.provider, event.rows));
    return;
  }
  const { status } = event;
  const statuses = status === 'held' ? (['accepted', 'rejected'] as const) : (['held'] as const);
  const found = await readSuspects(database, { statuses }, 1000);
  const placeOf = ({ date, provider, base, quote }: (typeof found)[number]) =>
    `${date} ${provider} ${base} ${quote}`;
  const [oldest] = found.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  if (oldest) await applyDecision(database, { suspect: oldest.id, status, operator: 'test', act: '0' });
}

/** The columns that say when something was recorded. */
const INSTANTS = {
  ...{ rates: ['recorded_at'], rate_revisions: ['recorded_at', 'replaced_at'] },
  ...{ suspects: ['suspected_at', 'resolved_at'], suspect_states: ['since'], data_versions: ['created_at'] },
};

/** Applies an event to a store, and moves what it recorded to its instant. */
export async function applyAt(database: TestDatabase, event: StoreEvent): Promise<void> {
  const before = await newestInstant(database);
  await apply(database, event);
  const after = await newestInstant(database);
  if (!after || Number(after) === Number(before)) return;
  for (const [table, names] of Object.entries(INSTANTS))
    for (const name of names)
      await database.pool.query(`update ${table} set ${name} = $1 where ${name} = $2`, [event.at, after]);
}

/** Applies all events to a store, each at its instant. */
export async function applyAll(database: TestDatabase, events: readonly StoreEvent[]): Promise<void> {
  for (const event of events) await applyAt(database, event);
}

async function newestInstant(database: TestDatabase): Promise<Date | undefined> {
  const { rows } = await database.pool.query(
    'select created_at as at from data_versions order by version desc limit 1',
  );
  return rows[0]?.at;
}

function nudged(rate: number, by: number): number {
  return Number((rate * (1 + by)).toPrecision(6));
}

function keyOf({ date, base, quote }: RateRow): string {
  return `${date} ${base} ${quote}`;
}

/** Numbers in [0, 1) from a seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A weekday in the weeks of `storeEvents`, or shortly before. */
export function someDay(random: () => number, days: number): CalendarDate {
  let day = addDays(FIRST_DAY, Math.floor(random() * (days + 30)) - 30);
  while (isWeekend(day) && random() < 0.7) day = addDays(day, 1);
  return day;
}
