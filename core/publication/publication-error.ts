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
