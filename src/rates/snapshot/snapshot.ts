import type { PoolClient } from 'pg';
import {
  arrayLength,
  copyOut,
  ROOM_FOR_ARRAYS,
  readDatedDoubles,
  readText,
} from '../../../core/database/copy-out.js';
import { dayNumber, firstOfMonth, firstOfWeek, fromDayNumber } from '../../../core/domain/dates.js';
import { type Columns, columnsOf, NO_COLUMNS, replaceWindow, SeriesBuilder } from './columns.js';

/** The whole blended history at one data version, base USD. Never changed once made: a new version is a new one. */
export interface Snapshot {
  /** Names the data in entity tags: the same in every process that reads the same version of the same database. */
  readonly version: string;
  /** The row of `data_versions` that it stands at; 0 where there is none yet. */
  readonly dataVersion: bigint;
  readonly days: Columns;
  readonly weeks: Columns;
  readonly months: Columns;
  /** The newest changes that led here, oldest first, as far as they are known. */
  readonly changes: readonly DataChange[];
}

/** One row of `data_versions`. */
export interface DataChange {
  readonly version: bigint;
  /** See Snapshot.version. */
  readonly name: string;
  /** Day numbers of the first and last blended day that changed. */
  readonly from: number;
  readonly to: number;
  /** The provider whose rows caused it; null where it was more than one. */
  readonly provider: string | null;
}

interface VersionRow {
  version: string;
  changed_from: string;
  changed_to: string;
  provider: string | null;
  created: string;
}

const CHANGES_KEPT = 500;
// Two windows nearer than this are read as one: a gap costs less than another query.
const GAP_DAYS = 40;
const FORMS = [
  ['days', 'blended_days'],
  ['weeks', 'blended_weeks'],
  ['months', 'blended_months'],
] as const;

/** Reads everything. The client is in a repeatable-read transaction. */
export async function loadSnapshot(client: PoolClient): Promise<Snapshot> {
  const newest = await newestChange(client);
  const read = { days: NO_COLUMNS, weeks: NO_COLUMNS, months: NO_COLUMNS };
  for (const [form, table] of FORMS) read[form] = await readColumns(client, table);
  return {
    version: newest?.name ?? '0',
    dataVersion: newest?.version ?? 0n,
    ...read,
    changes: newest ? [newest] : [],
  };
}

/**
 * Brings a snapshot up to date by reading only what changed since; the same snapshot where nothing did. The
 * client is in a repeatable-read transaction. Reads everything where the database is no continuation of the
 * snapshot, as after a restore.
 */
export async function refreshSnapshot(client: PoolClient, held: Snapshot): Promise<Snapshot> {
  const known = await changesSince(client, held.dataVersion);
  if (held.dataVersion === 0n ? known.length > 0 : known[0]?.name !== held.version)
    return loadSnapshot(client);
  const changes = known.slice(1);
  const newest = changes.at(-1);
  if (!newest) return held;
  let { days, weeks, months } = held;
  for (const { from, to } of mergeWindows(changes)) {
    days = await readWindow(client, 'blended_days', days, from, to);
    weeks = await readWindow(client, 'blended_weeks', weeks, weekOf(from), weekOf(to));
    months = await readWindow(client, 'blended_months', months, monthOf(from), monthOf(to));
  }
  return {
    version: newest.name,
    dataVersion: newest.version,
    days,
    weeks,
    months,
    changes: [...held.changes, ...changes].slice(-CHANGES_KEPT),
  };
}

/** The newest change that the transaction sees; undefined in a database that never had one. */
export async function newestChange(client: PoolClient): Promise<DataChange | undefined> {
  const { rows } = await client.query<VersionRow>(`${SELECT_CHANGES} order by change.version desc limit 1`);
  return rows.map(toChange)[0];
}

const SELECT_CHANGES = `
  select change.version::text, changed_from::text, changed_to::text, provider,
         (extract(epoch from created_at) * 1000)::bigint::text as created
    from data_versions as change`;

async function changesSince(client: PoolClient, version: bigint): Promise<DataChange[]> {
  const { rows } = await client.query<VersionRow>(
    `${SELECT_CHANGES} where change.version >= $1 order by change.version`,
    [version.toString()],
  );
  return rows.map(toChange);
}

function toChange(row: VersionRow): DataChange {
  return {
    version: BigInt(row.version),
    // The time tells apart two databases that count the same versions.
    name: `${row.version}.${Number(row.created).toString(36)}`,
    from: dayNumber(row.changed_from),
    to: dayNumber(row.changed_to),
    provider: row.provider,
  };
}

/** The windows as few disjoint ones, in order. */
function mergeWindows(changes: readonly DataChange[]): { from: number; to: number }[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...changes].sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to + GAP_DAYS) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

async function readWindow(
  client: PoolClient,
  table: string,
  held: Columns,
  from: number,
  to: number,
): Promise<Columns> {
  const condition = `where date between '${fromDayNumber(from)}' and '${fromDayNumber(to)}'`;
  return replaceWindow(held, await readColumns(client, table, condition), from, to);
}

// There are some 180; more only make the builder grow once.
const CURRENCIES = 200;

/**
 * One tuple a currency, with all its days in one array: the server has far fewer messages to send and we to read. They
 * are gathered in one place, which goes back to the system as a whole: hundreds of small ones would stay ours.
 */
async function readColumns(client: PoolClient, table: string, condition = ''): Promise<Columns> {
  const spans: { quote: string; from: number; to: number }[] = [];
  let builder = new SeriesBuilder(0);
  await client.query(ROOM_FOR_ARRAYS);
  await copyOut(
    client,
    `select quote, array_agg(date), array_agg(rate) from ${table} ${condition} group by quote`,
    (bytes, [quote = 0, dates = 0, rates = 0]) => {
      if (spans.length === 0) builder = new SeriesBuilder(CURRENCIES * arrayLength(bytes, dates));
      const from = builder.length;
      readDatedDoubles(bytes, dates, rates, (day, rate) => builder.append(day, rate));
      spans.push({ quote: readText(bytes, quote), from, to: builder.length });
    },
  );
  const { days, rates } = builder.finish();
  return columnsOf(
    spans.map(({ quote, from, to }) => [
      quote,
      { days: days.subarray(from, to), rates: rates.subarray(from, to) },
    ]),
  );
}

function weekOf(day: number): number {
  return dayNumber(firstOfWeek(fromDayNumber(day)));
}

function monthOf(day: number): number {
  return dayNumber(firstOfMonth(fromDayNumber(day)));
}
