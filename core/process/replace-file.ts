import { mkdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

/** Puts a file in its place, whole or not at all, and makes its folder. Programs that share the folder may do so at once. */
export async function replaceFile(path: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
  // In containers that share the folder, programs have the same process id.
  const partial = `${path}.${hostname()}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(partial, content, { flush: true });
  await rename(partial, path);
}
