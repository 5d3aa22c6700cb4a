import { chmod, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopSignal } from '../stop-signal.js';

/** Work that starts servers and programs, and checks them. */
export interface Trial {
  /** Aborted when the work is stopped, or takes too long. */
  signal: AbortSignal;
  /** Functions that release what was opened; called in reverse order, whatever fails in between. */
  cleanups: (() => Promise<unknown>)[];
  /** Records that a check failed. */
  fail(what: string): void;
  hasFailed(): boolean;
}

/** Carries out a trial. Exit code: 0 if every check passed, 1 if one failed, 130 if it was stopped. */
export async function runTrial(work: (trial: Trial) => Promise<void>, limitMs = 0): Promise<number> {
  const signal = stopSignal(limitMs);
  const faults: string[] = [];
  const cleanups: Trial['cleanups'] = [];
  try {
    await work({
      signal,
      cleanups,
      fail: (what) => void faults.push(what),
      hasFailed: () => faults.length > 0,
    });
  } catch (error) {
    const cause: unknown = signal.aborted ? signal.reason : error;
    const isStopped = cause instanceof Error && cause.name === 'AbortError';
    if (!isStopped) faults.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  for (const cleanUp of cleanups.reverse())
    await cleanUp().catch((error: unknown) => faults.push(`cleaning up: ${String(error)}`));
  for (const fault of faults) print(`FAILED: ${fault}`);
  if (signal.aborted && faults.length === 0) {
    print('stopped; everything was cleaned up');
    return 130;
  }
  print(faults.length === 0 ? 'nothing failed' : `${faults.length} failed`);
  return faults.length === 0 ? 0 : 1;
}

/** A folder for the time of the trial, also for programs of other users. Its logs are kept if a check fails. */
export async function temporaryFolder({ cleanups, hasFailed }: Trial, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `almanac-${name}-`));
  cleanups.push(async () => {
    if (hasFailed()) await keepLogs(folder);
    await rm(folder, { recursive: true, force: true });
  });
  await chmod(folder, 0o755);
  return folder;
}

async function keepLogs(folder: string): Promise<void> {
  const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  if (logs.length === 0) return;
  const kept = await mkdtemp(join(tmpdir(), 'almanac-logs-'));
  for (const log of logs) await copyFile(join(folder, log), join(kept, log));
  print(`logs are in ${kept}`);
}

/** Prints what happens, with the time since the start, on standard error. */
export function print(line: string): void {
  process.stderr.write(`${process.uptime().toFixed(1).padStart(6)} s  ${line}\n`);
}
