import { hash } from 'node:crypto';
import { type Fault, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

/** A file as it must be. */
export interface ExpectedFile {
  path: string;
  bytes: number;
  /** 64 hex digits. */
  sha256: string;
}

/** A file that must have exactly this content. */
export function expectBytes(path: string, content: Buffer): ExpectedFile {
  return { path, bytes: content.length, sha256: hash('sha256', content, 'hex') };
}

/** Reads a file, never further than its length. Throws a PublicationError where it is not as it must be: `size`, or the given fault. */
export async function readExpected(
  files: PublicationFiles,
  { path, bytes, sha256 }: ExpectedFile,
  fault: Fault = 'hash',
): Promise<Buffer> {
  const content = await files.read(path, { most: bytes });
  if (content.length < bytes) {
    throw new PublicationError('size', `has ${content.length} bytes and not ${bytes}`, { path });
  }
  if (hash('sha256', content, 'hex') !== sha256) {
    throw new PublicationError(fault, 'has another content than was signed', { path });
  }
  return content;
}
