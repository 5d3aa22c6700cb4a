import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

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
