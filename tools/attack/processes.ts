import { readFile } from 'node:fs/promises';

// Reads /proc. Other systems than Linux have none, so that attacks don't run there.

/** The ID of a child process whose command line contains the words; undefined if there is none. */
export async function childOf(parent: number, words: string): Promise<number | undefined> {
  const children = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '');
  for (const pid of children.split(' ').filter(Boolean)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(words)) return Number(pid);
  }
  return undefined;
}

/** How long the main thread of a process has run, and how long it has waited for a processor. */
export interface ProcessorTime {
  ranMs: number;
  waitedMs: number;
}

export async function processorTimeOf(pid: number): Promise<ProcessorTime> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => '');
  const [ran = 0, waited = 0] = text.split(' ').map(Number);
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}

/** The memory of a process in bytes; undefined once it has ended. */
export async function memoryOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
