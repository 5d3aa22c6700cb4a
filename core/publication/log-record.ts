import { hash } from 'node:crypto';
import { z } from 'zod';
import { canonicalBytes, parseCanonical } from './canonical-json.js';

/** How long a record is valid without a successor. */
const RECORD_LIFE_MS = 48 * 3_600_000;

/** A SHA-256, 64 hex digits. */
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const instant = z.iso.datetime({ precision: 3 }).refine(isInstant);

/** The format alone would allow days that do not exist. */
function isInstant(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

const logRecord = z.strictObject({
  /** Until when readers accept this record as the newest. */
  expires: instant,
  /** Its place in the log, from 0. */
  index: z.int().min(0),
  /** When it was published. */
  instant,
  /** The SHA-256 of the manifest. */
  manifest: sha256,
  /**
   * The hash of the record before. In the first record null, or the last root of the log that this one replaces: earlier
   * versions kept a Merkle tree.
   */
  previous: sha256.nullable(),
  /** The data version. */
  version: z.int().min(0),
});

/** A publication, as recorded in the log. */
export type LogRecord = z.infer<typeof logRecord>;

/** The record of a publication at `now`. */
export function makeRecord({
  now,
  ...content
}: Omit<LogRecord, 'expires' | 'instant'> & { now: Date }): LogRecord {
  const expires = new Date(now.getTime() + RECORD_LIFE_MS);
  return { ...content, expires: expires.toISOString(), instant: now.toISOString() };
}

/** The SHA-256 of the record's line without its line feed, which is canonical JSON (RFC 8785): 64 hex digits. */
export function recordHash(record: LogRecord): string {
  return hash('sha256', canonicalBytes(record), 'hex');
}

/** Throws a PublicationError `record` if the bytes are not exactly those of a record. */
export function parseRecord(bytes: Buffer): LogRecord {
  return parseCanonical(logRecord, bytes, 'record');
}
