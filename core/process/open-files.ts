import { readFile } from 'node:fs/promises';

/** The limit of files and connections. Undefined if there is none, or the system is not Linux. */
export async function openFilesLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return most === undefined ? undefined : Number(most);
}
