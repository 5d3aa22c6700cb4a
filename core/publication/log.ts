import { hash } from 'node:crypto';
import * as z from 'zod';
import { fromBase64, type SigningKey, type VerifierKey } from './keys.js';
import { about, canonicalBytes, ifMissing, PublicationError, parseCanonical } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

export interface Checkpoint {
  origin: string;
  size: number;
  /** SHA-256 of its last line without the line feed, 64 hex digits. */
  hash: string;
}

const HASH_BYTES = 32;
export const MOST_CHECKPOINT_BYTES = 10_000;

/** The three signed lines of a C2SP tlog-checkpoint. */
export function checkpointText({ origin, size, hash }: Checkpoint): string {
  return `${origin}\n${size}\n${Buffer.from(hash, 'hex').toString('base64')}\n`;
}

/** Throws a PublicationError if the text is not exactly three such lines. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', base64 = ''] = text.split('\n');
  const hash = fromBase64(base64);
  const checkpoint = { origin, size: Number(size), hash: hash?.toString('hex') ?? '' };
  const isSize = Number.isSafeInteger(checkpoint.size) && checkpoint.size > 0;
  if (hash?.length !== HASH_BYTES || !isSize || checkpointText(checkpoint) !== text) {
    throw new PublicationError('checkpoint', 'a checkpoint is an origin, a size and a hash, a line each');
  }
  return checkpoint;
}

/** The checkpoint in a signed note, and the known keys of its origin that signed it. Throws a PublicationError. */
export function openCheckpoint(note: string, keys: readonly VerifierKey[]) {
  const { text, signers } = openNote(note, keys);
  const checkpoint = parseCheckpoint(text);
  const own = signers.filter(({ origin }) => origin === checkpoint.origin);
  if (own.length === 0) {
    throw new PublicationError('signature', `no key of ${checkpoint.origin} signed the checkpoint`);
  }
  return { checkpoint, signers: own };
}

/** The checkpoint in a note that was already verified, such as one stored on this machine. */
export function checkpointOf(note: string): Checkpoint {
  return parseCheckpoint(noteText(note));
}

const SIGNATURE_LINE = /^— (\S+) (\S+)$/;
const ID_BYTES = 4;

/** Signs a text, which must end with a newline, with all keys: a C2SP signed note. */
export function signNote(text: string, keys: readonly SigningKey[]): string {
  const signatures = keys.map(({ origin, id, sign }) => {
    const signature = Buffer.concat([Buffer.from(id, 'hex'), sign(Buffer.from(text))]);
    return `— ${origin} ${signature.toString('base64')}\n`;
  });
  return `${text}\n${signatures.join('')}`;
}

/** Also returns the known signers. Throws a PublicationError if there is none, or a known key's signature is wrong. */
export function openNote(note: string, keys: readonly VerifierKey[]) {
  const text = noteText(note);
  const signers: VerifierKey[] = [];
  for (const line of note.slice(text.length + 1, -1).split('\n')) {
    const [, name, data = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = fromBase64(data);
    if (name === undefined || !bytes || bytes.length <= ID_BYTES) throw malformed();
    const id = bytes.toString('hex', 0, ID_BYTES);
    const key = keys.find((known) => known.origin === name && known.id === id);
    if (!key) continue;
    if (signers.includes(key)) throw new PublicationError('signature', `${name}+${id} signed the note twice`);
    if (!key.verify(Buffer.from(text), bytes.subarray(ID_BYTES))) {
      throw new PublicationError('signature', `the signature of ${name}+${id} does not match this text`);
    }
    signers.push(key);
  }
  if (signers.length === 0) {
    const known = keys.map(({ origin, id }) => `${origin}+${id}`).join(', ');
    throw new PublicationError('signature', `the note is not signed by ${known || 'a known key'}`);
  }
  return { text, signers };
}

function noteText(note: string): string {
  const end = note.lastIndexOf('\n\n');
  // No control characters except newlines (C2SP signed-note), and no replacement character, a sign of invalid UTF-8.
  if (end < 0 || !note.endsWith('\n') || /[^\P{Cc}\n]|\uFFFD/u.test(note)) throw malformed();
  return note.slice(0, end + 1);
}

function malformed(): PublicationError {
  return new PublicationError('signature', 'this is not a signed note');
}

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

export type LogEnd = Awaited<ReturnType<typeof readLog>>;

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

/** Reads the records that a checkpoint signs, like `readLines`, and counts those after them. Throws a PublicationError if it signs another log. */
export async function readLog(
  files: PublicationFiles,
  checkpoint: Checkpoint,
  { from, now }: { from: number; now: Date },
) {
  const all = await readLines(files, from, now);
  const lines = all.filter(({ record }) => record.index < checkpoint.size);
  const last = lines.at(-1);
  if (last?.record.index !== checkpoint.size - 1) {
    const path = last && logPath(last.record);
    throw new PublicationError('log', `does not have all of the ${checkpoint.size} signed records`, { path });
  }
  if (last.hash !== checkpoint.hash) throw broken(last, 'is not the one that was signed');
  return { checkpoint, lines, record: last.record, unsigned: all.length - lines.length };
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
