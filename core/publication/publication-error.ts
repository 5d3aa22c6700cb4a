/** What is wrong with a publication, in one word. */
export type Fault =
  /** A file is not there. */
  | 'missing'
  /** The files cannot be reached at the moment. */
  | 'unavailable'
  /** A file is shorter or longer than the manifest says, or than such a file may be. */
  | 'size'
  /** A file's SHA-256 is another one than the manifest, or its own name, says. */
  | 'hash'
  /** No key that is known signed the note, or the signature of one is wrong. */
  | 'signature'
  /** A key cannot be read, or is not the key of this publication. */
  | 'key'
  /** A note is no checkpoint. */
  | 'checkpoint'
  /** The pointer cannot be read, or its record is not the newest one of the log. */
  | 'proof'
  /** A record cannot be read, or says something else than its manifest. */
  | 'record'
  /** Nothing was signed for too long. */
  | 'expired'
  /** The log is shorter than it was. */
  | 'rolled-back'
  /** The log does not continue the one that was seen before. */
  | 'fork'
  /** The manifest cannot be read. */
  | 'manifest'
  /** A path that no file of a publication may have. */
  | 'path'
  /** The rows of a table are not as the manifest says, out of order, or there twice. */
  | 'rows'
  /** The rates have another digest than the manifest says. */
  | 'digest'
  /** A rate that was published before is another one now, or gone, and no revision says so. */
  | 'revision'
  /** A day's file is not what the rates make. */
  | 'day'
  /** A copy is not that of the signed state. */
  | 'copy'
  /** A file is there that nothing names which was signed. */
  | 'unnamed'
  /** The tiles or entries of the log do not make the signed root. */
  | 'log';

/** A publication, or a part of one, that cannot be used. The message names the file and what is wrong. */
export class PublicationError extends Error {
  override readonly name = 'PublicationError';
  readonly fault: Fault;
  /** The file at fault, where it is one. */
  readonly path: string | undefined;
  /** What is wrong, without the file. */
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

/** For `catch`: undefined where a file is not there. Other errors go on. */
export function ifMissing(error: unknown): undefined {
  if (error instanceof PublicationError && error.fault === 'missing') return undefined;
  throw error;
}

/** Does the work, and names the file in what it throws, unless that names one itself. */
export function about<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PublicationError) || error.path !== undefined) throw error;
    throw new PublicationError(error.fault, error.detail, { path, cause: error.cause });
  }
}
