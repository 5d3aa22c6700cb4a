import { hash } from 'node:crypto';
import { columnsOf } from '../../core/columns/columns.js';
import { digestOf } from '../../core/columns/digest.js';
import { blendedPeriods } from '../../core/columns/means.js';
import { dayNumber } from '../../core/domain/dates.js';
import { dayFile, dayPath, latestFile, publishedDays } from '../../core/publication/day-files.js';
import { keysText, makeSigningKey, type SigningKey } from '../../core/publication/keys.js';
import {
  checkpointText,
  logPath,
  makeRecord,
  readWithRecord,
  recordHash,
  signNote,
} from '../../core/publication/log.js';
import {
  CHECKPOINT,
  hashedPath,
  type Manifest,
  type ManifestFile,
  manifestBytes,
  manifestPath,
  NEXT_CHECKPOINT,
} from '../../core/publication/open-publication.js';
import { canonicalBytes } from '../../core/publication/publication-error.js';
import { blendedRows, type TableName, type TableRows } from '../../core/publication/tables.js';
import { writeTable } from '../../core/publication/write-table.js';
import { memoryFiles } from './memory-files.js';

export const KEY = makeSigningKey('rates.example.org/almanac', Buffer.alloc(32, 7));

const NO_ROWS = { rows: 0, sha256: hash('sha256', '', 'hex') };

/** A manifest of a publication without rates. */
export function emptyManifest(version: number, changes: Partial<Manifest> = {}): Manifest {
  return {
    format: 'almanac-publication/1',
    origin: KEY.origin,
    api: null,
    data: { instant: '2026-03-17T15:59:00.000Z', version },
    digest: { day: NO_ROWS, week: NO_ROWS, month: NO_ROWS },
    files: [],
    method: 2,
    previous: null,
    software: 'almanac',
    ...changes,
  };
}

interface Signing {
  /** How many records the log has before. */
  size: number;
  now: string;
  keys?: readonly SigningKey[];
  /** Where the checkpoint goes: to the newest, unless copies are still to be written. */
  path?: typeof CHECKPOINT | typeof NEXT_CHECKPOINT;
}

/**
 * Signs a manifest as the next record of the log, and writes manifest, log and checkpoint, and the copies of what was signed
 * once it is the newest. Returns the signed checkpoint.
 */
export async function signManifest(
  files: Map<string, Buffer>,
  content: Manifest,
  { size: index, now, keys = [KEY], path = CHECKPOINT }: Signing,
): Promise<string> {
  const bytes = manifestBytes(content);
  const manifest = hash('sha256', bytes, 'hex');
  files.set(manifestPath(manifest), bytes);
  const line = String(files.get(logPath({ instant: now }))).split('\n')[index - 1];
  const previous = line === undefined ? null : hash('sha256', line, 'hex');
  const record = makeRecord({ index, manifest, previous, version: content.data.version, now: new Date(now) });
  files.set(logPath(record), await readWithRecord(memoryFiles(files), record));
  const checkpoint = { origin: KEY.origin, size: index + 1, hash: recordHash(record) };
  const note = signNote(checkpointText(checkpoint), keys);
  if (path === CHECKPOINT) {
    files.set('manifest.json', bytes);
    files.set('keys.txt', Buffer.from(keysText(keys.map(({ verifier }) => verifier))));
  }
  files.set(path, Buffer.from(note));
  return note;
}

/** Blended rates by date and currency, such as `{ '2026-03-16': { EUR: 0.92 } }`. */
export type Rates = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Publishes rates whole: tables, days and lists, then what signs them. Returns the signed checkpoint. */
export async function publishRates(
  files: Map<string, Buffer>,
  rates: Rates,
  { version, ...signing }: Signing & { version: number },
): Promise<string> {
  const columns = columnsIn(rates);
  const listed: ManifestFile[] = [];
  const put = (
    file: Pick<ManifestFile, 'table' | 'rows'>,
    bytes: Buffer,
    path: (sha256: string) => string,
  ) => {
    const sha256 = hash('sha256', bytes, 'hex');
    listed.push({ ...file, bytes: bytes.length, path: path(sha256), sha256 });
    if (!(signing.path === NEXT_CHECKPOINT && /^\w+\.json$/.test(path(sha256))))
      files.set(path(sha256), bytes);
  };
  const putTable = <Name extends TableName>(table: Name, stem: string, rows: TableRows<Name>) =>
    put({ table, rows: rows.date.length }, writeTable(table, rows), (sha256) => hashedPath(stem, sha256));
  const putList = (table: 'currencies' | 'providers', rows: number, bytes: Buffer) =>
    put({ table, rows }, bytes, () => `${table}.json`);

  for (const year of new Set(Object.keys(rates).map((date) => date.slice(0, 4)))) {
    const rows = blendedRows(columns, dayNumber(`${year}-01-01`), dayNumber(`${year}-12-31`));
    putTable('blended', `blended/${year}`, rows);
    putTable('observations', `observations/ECB/${year}`, observationsOf(rows, version));
    putTable('revisions', `revisions/${year}`, revisionsOf(rows));
  }
  putList('currencies', 0, canonicalBytes([]));
  putList('providers', 0, canonicalBytes({ providers: [], reading: null }));

  const manifest = emptyManifest(version, {
    digest: digestOf(blendedPeriods(columns)),
    files: listed.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    data: { instant: signing.now, version },
  });
  if (signing.path !== NEXT_CHECKPOINT) {
    for (const day of publishedDays(columns)) files.set(dayPath(day), dayFile(columns, day));
    files.set('latest.json', latestFile(columns, manifest));
  }
  return signManifest(files, manifest, signing);
}

function columnsIn(rates: Rates) {
  const quotes = [...new Set(Object.values(rates).flatMap(Object.keys))].sort();
  return columnsOf(
    quotes.map((quote) => {
      const dated = Object.entries(rates).filter(([, day]) => day[quote] !== undefined);
      const days = Int32Array.from(dated, ([date]) => dayNumber(date));
      return [
        quote,
        { days, rates: Float64Array.from(dated, ([, day]) => day[quote] ?? Number.NaN) },
      ] as const;
    }),
  );
}

/** The same rates as those of one source. */
function observationsOf(rows: TableRows<'blended'>, version: number): TableRows<'observations'> {
  const recordedAt = Date.parse('2026-03-17T15:00:00Z') + version;
  return {
    provider: rows.base.map(() => 'ECB'),
    ...rows,
    recorded_at: Float64Array.from(rows.base, () => recordedAt),
    suspect: rows.base.map(() => null),
    ...{ buy: undefined, sell: undefined },
  };
}

/** The first rate, as one that was replaced on its day. */
function revisionsOf(rows: TableRows<'blended'>): TableRows<'revisions'> {
  const [date, rate] = [rows.date.slice(0, 1), rows.rate.slice(0, 1)];
  const recordedAt = Float64Array.from(date, (day) => day * 86_400_000);
  return {
    ...{ provider: ['ECB'], date, base: rows.base.slice(0, 1), quote: rows.quote.slice(0, 1), rate },
    was: rate.map((one) => one * 2),
    ...{ recorded_at: recordedAt, replaced_at: recordedAt.map((one) => one + 1), cause: ['feed'] },
    ...{ buy: undefined, sell: undefined, buy_was: undefined, sell_was: undefined },
  };
}
