import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

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

/** Like `mkdir` with `recursive`, which never returns under a folder such as /proc, where nothing can be created. */
export async function makeFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  if (parent !== folder) await makeFolder(parent);
  try {
    await mkdir(folder);
  } catch (error) {
    // The folder may already exist, possibly because another start has just created it.
    if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw error;
  }
}

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** For `catch`: returns undefined if a file or folder does not exist. Rethrows other errors. */
export function ifMissingFile(error: unknown): undefined {
  if (isMissingFile(error)) return undefined;
  throw error;
}
