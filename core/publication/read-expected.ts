import { hash } from 'node:crypto';
import type { ManifestFile } from './manifest.js';
import { type Fault, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

/** Never reads past the expected length. Throws a PublicationError: `size`, or for the content `hash` or `fault`. */
export async function readExpected(
  files: PublicationFiles,
  { path, bytes, sha256 }: Pick<ManifestFile, 'path' | 'bytes' | 'sha256'>,
  fault: Fault = 'hash',
): Promise<Buffer> {
  const content = await files.read(path, { most: bytes });
  if (content.length !== bytes) {
    throw new PublicationError('size', `has ${content.length} bytes and not ${bytes}`, { path });
  }
  if (hash('sha256', content, 'hex') !== sha256) {
    throw new PublicationError(fault, 'has another content than was signed', { path });
  }
  return content;
}
