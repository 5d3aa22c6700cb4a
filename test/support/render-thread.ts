import { join } from 'node:path';
import { pino } from 'pino';
import { type Clock, systemClock } from '../../core/domain/dates.js';
import { openKeptRates } from '../../src/rates/sources/kept-rates.js';
import { openRenderThreads } from '../../src/rendering/render-threads.js';
import { BUILD, buildService } from './service.js';

interface ThreadOptions {
  clock?: Clock;
  /** The module of a thread, by its path in the build. */
  entry?: string;
}

/** A thread that makes contents from a database, and what it has passed on of raw rows: parts of an API. */
export async function openRenderThread(databaseUrl: string, options: ThreadOptions = {}) {
  const { clock = systemClock, entry = 'src/rendering/render-thread.js' } = options;
  const kept = openKeptRates();
  const data = { databaseUrl, sources: {} };
  const [log, modulePath] = [pino({ level: 'silent' }), join(BUILD, entry)];
  await buildService();
  return { kept, threads: openRenderThreads({ data, clock, log, kept, modulePath }) };
}
