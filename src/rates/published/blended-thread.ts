import { parentPort, workerData } from 'node:worker_threads';
import { type PackedColumns, packColumns } from '../../../core/columns/columns.js';
import type { StoredPeriod } from '../../../core/domain/periods.js';
import { type Fault, PublicationError } from '../../../core/publication/publication-error.js';
import { readBlended, type WholeBlend } from './read-blended.js';

/** What a thread replies: the rates, or what is wrong with them. */
export type BlendedReply =
  | { periods: Readonly<Record<StoredPeriod, PackedColumns>> }
  | { fault: Fault; detail: string; path: string | undefined };

async function reply(whole: WholeBlend): Promise<void> {
  const replied = await read(whole);
  const arrays =
    'periods' in replied ? Object.values(replied.periods).flatMap(({ days, rates }) => [days, rates]) : [];
  parentPort?.postMessage(
    replied,
    arrays.map(({ buffer }) => buffer as ArrayBuffer),
  );
}

async function read(whole: WholeBlend): Promise<BlendedReply> {
  try {
    const { day, week, month } = await readBlended(whole);
    return { periods: { day: packColumns(day), week: packColumns(week), month: packColumns(month) } };
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    const { fault, detail, path } = error;
    return { fault, detail, path };
  }
}

// What it throws ends the thread, which is told.
void reply(workerData);
