import canonicalize from 'canonicalize';
import * as z from 'zod';

export type Fault =
  | 'missing'
  | 'unavailable'
  /** Shorter or longer than listed in the manifest, or than such a file may be. */
  | 'size'
  | 'hash'
  /** No known key signed the note, or one of the signatures is wrong. */
  | 'signature'
  /** Invalid, or not a key of this publication. */
  | 'key'
  | 'checkpoint'
  /** A record is invalid, or contradicts its manifest. */
  | 'record'
  | 'expired'
  | 'rolled-back'
  /** The log does not continue the remembered checkpoint. */
  | 'fork'
  | 'manifest'
  | 'path'
  /** They differ from the manifest, are out of order, or are duplicates. */
  | 'rows'
  | 'digest'
  /** A previously published rate has changed or is gone, without a revision. */
  | 'revision'
  | 'day'
  /** A copy does not match the signed state. */
  | 'copy'
  /** A file exists that nothing signed refers to. */
  | 'unnamed'
  /** The records of the log are not a chain that ends with the signed one. */
  | 'log';

/** The message names the file and the fault. */
export class PublicationError extends Error {
  override readonly name = 'PublicationError';
  readonly path: string | undefined;

  constructor(
    readonly fault: Fault,
    readonly detail: string,
    { path, ...options }: ErrorOptions & { path?: string | undefined } = {},
  ) {
    super(`${fault}: ${path === undefined ? '' : `${path}: `}${detail}`, options);
    this.path = path;
  }
}

/** For `catch`: returns undefined if a file is missing. Rethrows other errors. */
export function ifMissing(error: unknown): undefined {
  if (error instanceof PublicationError && error.fault === 'missing') return undefined;
  throw error;
}

/** For `catch`: returns undefined for a fault of a publication. Rethrows other errors. */
export function ifRefused(error: unknown): undefined {
  if (error instanceof PublicationError) return undefined;
  throw error;
}

/** Adds the file to an error that does not name one. */
export function about<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PublicationError) || error.path !== undefined) throw error;
    throw new PublicationError(error.fault, error.detail, { path, cause: error.cause });
  }
}

/** RFC 8785. */
export function canonicalBytes(value: object): Buffer {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('the value has no JSON form');
  return Buffer.from(text);
}

/** Throws a PublicationError with the fault if it is not canonical JSON of the schema. */
export function parseCanonical<T extends object>(schema: z.ZodType<T>, bytes: Buffer, fault: Fault): T {
  const value = parseJson(schema, bytes, fault);
  if (!canonicalBytes(value).equals(bytes)) throw new PublicationError(fault, 'is not canonical JSON');
  return value;
}

/** Throws a PublicationError with the fault if it does not match the schema. */
export function parseJson<T>(schema: z.ZodType<T>, bytes: Buffer, fault: Fault): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (cause) {
    throw new PublicationError(fault, 'is not JSON', { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new PublicationError(fault, z.prettifyError(parsed.error));
  return parsed.data;
}
