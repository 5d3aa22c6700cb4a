import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonicalBytes, parseCanonical } from './canonical-json.js';
import type { Checkpoint } from './checkpoint.js';
import { about, ifMissing, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

const RECORD_LIFE_MS = 48 * 3_600_000;

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.iso.datetime({ precision: 3 });

const logRecord = z.strictObject({
  expires: instant,
  index: z.int().min(0),
  instant,
  manifest: sha256,
  /** The hash of the record before. In the first, null or the last root of an earlier version's Merkle tree. */
  previous: sha256.nullable(),
  version: z.int().min(0),
});

export type LogRecord = z.infer<typeof logRecord>;

export function makeRecord({
  now,
  ...content
}: Omit<LogRecord, 'expires' | 'instant'> & { now: Date }): LogRecord {
  const expires = new Date(now.getTime() + RECORD_LIFE_MS);
  return { ...content, expires: expires.toISOString(), instant: now.toISOString() };
}

/** SHA-256 of its line without the line feed, which is canonical JSON (RFC 8785): 64 hex digits. */
export function recordHash(record: LogRecord): string {
  return hash('sha256', canonicalBytes(record), 'hex');
}

/** Throws a PublicationError `record` if the bytes are not exactly those of a record. */
export function parseRecord(bytes: Buffer): LogRecord {
  return parseCanonical(logRecord, bytes, 'record');
}

/** `hash` is the SHA-256 of its line without the line feed, as the next record names it. */
export interface LogLine {
  record: LogRecord;
  hash: string;
}

export type LogEnd = ReturnType<typeof signedEnd>;

/** No log is older. */
const FIRST_YEAR = 2026;
/** A record every ten minutes makes 14 MB a year. */
const MOST_LOG_BYTES = 100_000_000;
const END_BYTES = 65_536;
/** The publisher's clock may be ahead of the reader's. */
const CLOCK_DIFFERENCE_MS = 86_400_000;

/** The file of a record: one for each calendar year (UTC) of publishing. */
export function logPath({ instant }: Pick<LogRecord, 'instant'>): string {
  return `log/${instant.slice(0, 4)}.ndjson`;
}

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

/** From index `from` or earlier, also unsigned. Reads years backwards. Throws a PublicationError if no chain. */
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
  if (!isFrom(lines, from)) throw broken(first, `exists, but record ${from} does not`);
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (before && (line.record.previous !== before.hash || line.record.index !== before.record.index + 1))
      throw broken(line, 'does not continue the line before it');
  }
  return lines;
}

/** Reads the records that a checkpoint signs, like `readLines`. Throws a PublicationError if it signs another log. */
export async function readLog(
  files: PublicationFiles,
  checkpoint: Checkpoint,
  { from, now }: { from: number; now: Date },
): Promise<LogEnd> {
  return signedEnd(await readLines(files, from, now), checkpoint);
}

/** Throws a PublicationError if the checkpoint signs another log. */
export function signedEnd(all: readonly LogLine[], checkpoint: Checkpoint) {
  const lines = all.filter(({ record }) => record.index < checkpoint.size);
  const last = lines.at(-1);
  if (last?.record.index !== checkpoint.size - 1) {
    const path = last && logPath(last.record);
    throw new PublicationError('log', `does not have all of the ${checkpoint.size} signed records`, { path });
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
