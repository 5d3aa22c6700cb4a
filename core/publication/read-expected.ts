import { hash } from 'node:crypto';
import type { ManifestFile } from './manifest.js';
import { type Fault, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

type ListedFile = Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>;

/**
 * Reads a file, but never past its listed length. Throws a PublicationError if it differs from the list: `size` or `hash`.
 */
export async function readExpected(
  files: PublicationFiles,
  { path, bytes, sha256 }: ListedFile,
): Promise<Buffer> {
  const content = await readLong(files, path, bytes);
  if (hash('sha256', content, 'hex') !== sha256) throw isOther('hash', path);
  return content;
}

/** Reads a file that must have exactly this content. Throws a PublicationError if it differs: `size`, or the given fault. */
export async function expectContent(
  files: PublicationFiles,
  path: string,
  content: Buffer,
  fault: Fault,
): Promise<void> {
  if (!content.equals(await readLong(files, path, content.length))) throw isOther(fault, path);
}

async function readLong(files: PublicationFiles, path: string, bytes: number): Promise<Buffer> {
  const content = await files.read(path, { most: bytes });
  if (content.length === bytes) return content;
  throw new PublicationError('size', `has ${content.length} bytes and not ${bytes}`, { path });
}

function isOther(fault: Fault, path: string): PublicationError {
  return new PublicationError(fault, 'has another content than was signed', { path });
}
