import { PublicationError } from '../../core/publication/publication-error.js';
import type { PublicationFiles } from '../../core/publication/publication-files.js';

/** A publication's files in memory, by path. */
export interface MemoryFiles extends PublicationFiles {
  files: Map<string, Buffer>;
}

export function memoryFiles(files = new Map<string, Buffer>()): MemoryFiles {
  return {
    files,
    list: async () => [...files.keys()].sort(),
    async read(path, { most, last = most }) {
      const bytes = files.get(path);
      if (!bytes) throw new PublicationError('missing', 'is not there', { path });
      if (bytes.length > most) throw new PublicationError('size', `is longer than ${most} bytes`, { path });
      return bytes.subarray(Math.max(0, bytes.length - last));
    },
  };
}
