import { hash } from 'node:crypto';
import { canonicalBytes } from './canonical-json.js';
import type { Checkpoint } from './checkpoint.js';
import { type LogRecord, parseRecord } from './log-record.js';
import { about, ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

/** A record, with the SHA-256 of its line without the line feed, as the next record names it. */
export interface LogLine {
  record: LogRecord;
  hash: string;
}

/** The end of a signed log. */
export interface LogEnd {
  checkpoint: Checkpoint;
  /** Its records from some index to the last one, in order. */
  lines: readonly LogLine[];
  /** The last one. */
  record: LogRecord;
}

/** No log is older. */
const FIRST_YEAR = 2026;
/** The maximum size of a year's file. A record every ten minutes makes 14 MB. */
const MOST_LOG_BYTES = 100_000_000;
/** Some 240 records. */
const END_BYTES = 65_536;
/** The publisher's clock may be ahead of the reader's. */
const CLOCK_DIFFERENCE_MS = 86_400_000;

/** The file of a record: one for each calendar year (UTC) of publishing. */
export function logPath({ instant }: Pick<LogRecord, 'instant'>): string {
  return `log/${instant.slice(0, 4)}.ndjson`;
}

/** Lines of a log file. */
export function linesText(lines: readonly Pick<LogLine, 'record'>[]): string {
  return lines.map(({ record }) => `${canonicalBytes(record)}\n`).join('');
}

/** The file of a record, with this record as its last line. */
export async function readWithRecord(files: PublicationFiles, record: LogRecord): Promise<Buffer> {
  const bytes = await files.read(logPath(record), { most: MOST_LOG_BYTES }).catch(ifMissing);
  const lines = bytes?.toString().split('\n') ?? [];
  const first = lines[0] ? parseRecord(Buffer.from(lines[0])).index : record.index;
  const before = lines.slice(0, Math.max(0, record.index - first));
  return Buffer.from([...before, linesText([{ record }])].join('\n'));
}

/**
 * The records from the index `from`, or an earlier one, to the last one, signed or not. Reads the years backwards, and only
 * the end of a file if that is enough. Throws a PublicationError if they are no chain.
 */
export async function readLines(files: PublicationFiles, from: number, now: Date): Promise<LogLine[]> {
  const newest = new Date(now.getTime() + CLOCK_DIFFERENCE_MS).getUTCFullYear();
  let lines: LogLine[] = [];
  for (let year = newest; year >= FIRST_YEAR && !isFrom(lines, from); year--) {
    const earlier = await readYear(files, logPath({ instant: String(year) }), from).catch(ifMissing);
    lines = [...(earlier ?? []), ...lines];
  }
  const [first] = lines;
  if (!first) {
    const path = logPath({ instant: now.toISOString() });
    throw new PublicationError('missing', 'is not there', { path });
  }
  if (!isFrom(lines, from)) throw broken(first, `is there, but not record ${from}`);
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (before && (line.record.previous !== before.hash || line.record.index !== before.record.index + 1))
      throw broken(line, 'does not continue the line before it');
  }
  return lines;
}

/** The records that a checkpoint signs, as `readLines` reads them. Throws a PublicationError if it signs another log. */
export async function readLog(
  files: PublicationFiles,
  checkpoint: Checkpoint,
  { from, now }: { from: number; now: Date },
): Promise<LogEnd> {
  return signedEnd(await readLines(files, from, now), checkpoint);
}

/** The part of the records that a checkpoint signs. Throws a PublicationError if it signs another log. */
export function signedEnd(all: readonly LogLine[], checkpoint: Checkpoint): LogEnd {
  const lines = all.filter(({ record }) => record.index < checkpoint.size);
  const last = lines.at(-1);
  if (last?.record.index !== checkpoint.size - 1) {
    const path = last && logPath(last.record);
    throw new PublicationError('log', `has not all of the ${checkpoint.size} records that are signed`, {
      path,
    });
  }
  if (last.hash !== checkpoint.hash) throw broken(last, 'is not the one that was signed');
  return { checkpoint, lines, record: last.record };
}

function isFrom([first]: readonly LogLine[], from: number): boolean {
  return first !== undefined && first.record.index <= from;
}

async function readYear(files: PublicationFiles, path: string, from: number): Promise<LogLine[]> {
  const most = MOST_LOG_BYTES;
  if (from > 0) {
    const end = await files.read(path, { most, last: END_BYTES });
    const isCut = end.length === END_BYTES;
    // A record has no braces inside: only the first line of a part of a file can begin otherwise.
    const lines = linesIn(path, isCut && end[0] !== 0x7b ? end.subarray(end.indexOf('\n') + 1) : end);
    if (!isCut || isFrom(lines, from)) return lines;
  }
  return linesIn(path, await files.read(path, { most }));
}

function linesIn(path: string, bytes: Buffer): LogLine[] {
  const lines = bytes.toString().split('\n');
  if (lines.pop() !== '') throw new PublicationError('log', 'ends within a line', { path });
  return lines.map((text) => {
    const line = Buffer.from(text);
    const record = about(path, () => parseRecord(line));
    if (logPath(record) !== path) throw new PublicationError('log', 'has a record of another year', { path });
    return { record, hash: hash('sha256', line, 'hex') };
  });
}

function broken({ record }: LogLine, fault: string): PublicationError {
  return new PublicationError('log', `record ${record.index} ${fault}`, { path: logPath(record) });
}
