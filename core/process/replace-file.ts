import { rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';

/** Atomic, also if several programs share the folder. Creates the folder. */
export async function replaceFile(
  path: string,
  content: Parameters<typeof writeFile>[1],
  mode = 0o666,
): Promise<void> {
  // Programs in containers that share the folder have the same process ID.
  const partial = `${path}.${hostname()}.${process.pid}`;
  await makeFolder(dirname(path));
  await writeFile(partial, content, { flush: true, mode });
  await rename(partial, path);
}
