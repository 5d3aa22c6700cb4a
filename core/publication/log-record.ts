import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalBytes, parseCanonical } from './canonical-json.js';

const RECORD_LIFE_MS = 48 * 3_600_000;

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.iso.datetime({ precision: 3 }).refine(isInstant);

/** The format alone would allow days that do not exist. */
function isInstant(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

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
