import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type Clock, systemClock } from '../../core/domain/clock.js';
import { projectFolder } from '../../core/process/project-files.js';
import { openKeptRates } from '../../src/rates/sources/kept-rates.js';
import { openRenderThreads } from '../../src/rendering/render-threads.js';
import { oneAtATime } from './postgres.js';

interface ThreadOptions {
  clock?: Clock;
  /** The module of a thread, from the project's folder. */
  entry?: string;
}

/** A thread that makes contents from a database, and what it has passed on of raw rows: parts of an API. */
export async function openRenderThread(databaseUrl: string, options: ThreadOptions = {}) {
  const { clock = systemClock, entry = 'src/rendering/render-thread.ts' } = options;
  const kept = openKeptRates();
  const data = { databaseUrl, connections: 2, sources: {} };
  const [log, module] = [pino({ level: 'silent' }), await bundled(entry)];
  return { kept, threads: openRenderThreads({ data, clock, log, kept, module }) };
}

/** The module, bundled once in a run: a thread takes JavaScript. */
async function bundled(entry: string): Promise<URL> {
  const outfile = join(inject('buildFolder'), `${basename(entry, '.ts')}.js`);
  const how = { bundle: true, format: 'esm', platform: 'node', packages: 'external' } as const;
  await oneAtATime(outfile, async () => {
    if (!existsSync(outfile))
      await build({ entryPoints: [entry], absWorkingDir: projectFolder, outfile, ...how });
  });
  return pathToFileURL(outfile);
}
