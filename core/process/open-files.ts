import { readFile } from 'node:fs/promises';

/** How many files and connections this process may have open; undefined where the system has no limit or is not Linux. */
export async function openFilesLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return most === undefined ? undefined : Number(most);
}
