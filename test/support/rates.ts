import type { Database } from '../../core/database/database.js';
import { inTransaction } from '../../core/database/transactions.js';
import type { RawRow } from '../../core/domain/blend/carry-forward.js';
import { type CalendarDate, eachDay, isWeekend } from '../../core/domain/dates.js';
import { BLEND_METHOD } from '../../core/domain/providers.js';
import type { SidedRow } from '../../core/domain/sides.js';
import { storeAndBlend } from '../../worker/ingest/store.js';
import { filledDatabase, type TestDatabase } from './postgres.js';

/** The value of `x-blend-method`. */
export const METHOD = String(BLEND_METHOD);

/** Stores what providers published and blends it, as ingests do: one data version for each provider. */
export async function storeRows(database: Database, rows: readonly SidedRow[]): Promise<void> {
  for (const provider of new Set(rows.map((row) => row.provider))) {
    const own = rows.filter((row) => row.provider === provider);
    await inTransaction(database, (transaction) => storeAndBlend(transaction, provider, own));
  }
}

/** A database of its own that holds these rows as storeRows stores them. Rows that are the same are stored once in a run. */
export function databaseWith(rows: readonly SidedRow[]): Promise<TestDatabase> {
  return filledDatabase(JSON.stringify(rows), (database) => storeRows(database, rows));
}

/** Units per dollar, about. */
const LEVELS: Readonly<Record<string, number>> = {
  ...{ USD: 1, EUR: 0.87, GBP: 0.75, JPY: 158.5, CHF: 0.79, CAD: 1.37 },
  ...{ UAH: 43.6, MWK: 1734, BIF: 2970, IRR: 42_000, KWD: 0.306 },
};

const LAST_DAY = '2026-03-20';

/**
 * A small world around Friday, 2026-03-20. ECB, BOC and IMF publish on weekdays; FRED is a week behind; NBU
 * publishes every day and is a day ahead; RBM stopped ten days ago and BRB in February; CBE is two days ahead.
 * IMF's yen is an outlier.
 */
export function someRates(from: CalendarDate = '2025-12-01'): RawRow[] {
  return [
    ...publish('ECB', ['EUR/USD', 'EUR/GBP', 'EUR/JPY', 'EUR/CHF'], from, LAST_DAY),
    ...publish('BOC', ['USD/CAD', 'EUR/CAD', 'GBP/CAD', 'JPY/CAD'], from, LAST_DAY),
    ...publish('FRED', ['EUR/USD', 'USD/JPY', 'USD/CHF'], from, '2026-03-13'),
    ...publish('IMF', ['USD/JPY'], from, LAST_DAY, { times: 1.5 }),
    ...publish('IMF', ['USD/IRR', 'USD/KWD'], from, LAST_DAY),
    ...publish('NBU', ['USD/UAH', 'EUR/UAH', 'GBP/UAH'], from, '2026-03-21', { weekends: true }),
    ...publish('RBM', ['USD/MWK', 'EUR/MWK'], from, '2026-03-10'),
    ...publish('BRB', ['USD/BIF'], from, '2026-02-13'),
    ...publish('CBE', ['USD/EUR'], '2026-03-22', '2026-03-22', { weekends: true }),
  ];
}

/** The pairs of ECB in longHistory. */
export const LONG_PAIRS = 'USD GBP JPY CHF CAD UAH MWK BIF KWD'.split(' ').map((quote) => `EUR/${quote}`);

/** 27 years of ECB, 21 of two others: a response with all of it is longer than what the system's buffers take. */
export function longHistory(): RawRow[] {
  const [from, to] = ['2005-01-04', LAST_DAY];
  return [
    ...publish('ECB', LONG_PAIRS, '1999-01-04', to),
    ...publish('BOC', ['USD/CAD', 'EUR/CAD', 'GBP/CAD', 'JPY/CAD'], from, to),
    ...publish('IMF', ['USD/JPY', 'USD/EUR', 'USD/GBP'], from, to),
  ];
}

/** Rows of some pairs for every weekday, or every day, of a window: six digits that wander a little. */
export function publish(
  provider: string,
  pairs: readonly string[],
  from: CalendarDate,
  to: CalendarDate,
  { weekends = false, times = 1 }: { weekends?: boolean; times?: number } = {},
): RawRow[] {
  const rows: RawRow[] = [];
  for (const date of eachDay(from, to)) {
    if (isWeekend(date) && !weekends) continue;
    for (const pair of pairs) {
      const [base = '', quote = ''] = pair.split('/');
      const level = (LEVELS[quote] ?? 1) / (LEVELS[base] ?? 1);
      const wander =
        1 + 0.01 * Math.sin(Date.parse(date) / 5e8 + pair.charCodeAt(4) + provider.charCodeAt(0));
      rows.push({ provider, date, base, quote, rate: Number((level * wander * times).toPrecision(6)) });
    }
  }
  return rows;
}
