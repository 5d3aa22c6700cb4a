/** The kinds of faults of a publication. */
export type Fault =
  /** A file is missing. */
  | 'missing'
  /** The files are currently unavailable. */
  | 'unavailable'
  /** A file is shorter or longer than listed in the manifest, or than such a file may be. */
  | 'size'
  /** A file's SHA-256 differs from the manifest or from its name. */
  | 'hash'
  /** No known key signed the note, or one of the signatures is wrong. */
  | 'signature'
  /** A key is invalid, or is not the key of this publication. */
  | 'key'
  /** A note is not a checkpoint. */
  | 'checkpoint'
  /** A record is invalid, or contradicts its manifest. */
  | 'record'
  /** The last signature is too old. */
  | 'expired'
  /** The log is shorter than before. */
  | 'rolled-back'
  /** The log does not continue the remembered checkpoint. */
  | 'fork'
  /** The manifest is invalid. */
  | 'manifest'
  /** A path that no file of a publication may have. */
  | 'path'
  /** The rows of a table differ from the manifest, are out of order, or are duplicates. */
  | 'rows'
  /** The rates have another digest than listed in the manifest. */
  | 'digest'
  /** A previously published rate has changed or is gone, without a revision. */
  | 'revision'
  /** A day's file does not match the rates. */
  | 'day'
  /** A copy does not match the signed state. */
  | 'copy'
  /** A file exists that nothing signed refers to. */
  | 'unnamed'
  /** The records of the log are no chain that ends with the signed one. */
  | 'log';

/** A publication, or a part of it, is unusable. The message names the file and the fault. */
export class PublicationError extends Error {
  override readonly name = 'PublicationError';
  readonly fault: Fault;
  /** The faulty file, if there is one. */
  readonly path: string | undefined;
  /** The fault, without the file. */
  readonly detail: string;

  constructor(
    fault: Fault,
    detail: string,
    { path, ...options }: ErrorOptions & { path?: string | undefined } = {},
  ) {
    super(`${fault}: ${path === undefined ? '' : `${path}: `}${detail}`, options);
    this.fault = fault;
    this.path = path;
    this.detail = detail;
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

/** Does the work, and adds the file to an error that does not name one. */
export function about<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PublicationError) || error.path !== undefined) throw error;
    throw new PublicationError(error.fault, error.detail, { path, cause: error.cause });
  }
}
