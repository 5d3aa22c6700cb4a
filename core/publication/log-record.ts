import { z } from 'zod';
import { canonicalBytes } from './canonical-json.js';
import { PublicationError } from './publication-error.js';

/** How long a record is valid without a successor. */
const RECORD_LIFE_MS = 48 * 3_600_000;
/** The maximum length of a record. */
export const MOST_RECORD_BYTES = 1_024;

const instant = z.iso.datetime({ precision: 3 }).refine(isInstant);

/** The format alone would allow days that do not exist. */
function isInstant(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

const logRecord = z.strictObject({
  /** Until when readers accept this record as the newest. */
  expires: instant,
  /** When it was published. */
  instant,
  /** The SHA-256 of the manifest, 64 hex digits. */
  manifest: z.string().regex(/^[0-9a-f]{64}$/),
  /** The data version. */
  version: z.int().min(0),
});

/** A publication, as recorded in the log. */
export type LogRecord = z.infer<typeof logRecord>;

/** The record of a manifest that is published now. */
export function makeRecord({
  manifest,
  version,
  now,
}: Pick<LogRecord, 'manifest' | 'version'> & { now: Date }): LogRecord {
  const expires = new Date(now.getTime() + RECORD_LIFE_MS);
  return { expires: expires.toISOString(), instant: now.toISOString(), manifest, version };
}

/** Canonical JSON (RFC 8785). */
export function recordBytes(record: LogRecord): Buffer {
  return canonicalBytes(record);
}

/** Throws a PublicationError if the bytes are not exactly those of a record. */
export function parseRecord(bytes: Buffer): LogRecord {
  const parsed = logRecord.safeParse(jsonOf(bytes));
  if (!parsed.success || !recordBytes(parsed.data).equals(bytes)) {
    throw new PublicationError(
      'record',
      'a record is the canonical JSON of expires, instant, manifest and version',
    );
  }
  return parsed.data;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new PublicationError('record', 'a record is JSON', { cause: error });
  }
}
