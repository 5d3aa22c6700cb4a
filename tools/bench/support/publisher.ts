import pino from 'pino';
import { openDatabase } from '../../../core/database/database.js';
import { makeSigningKey } from '../../../core/publication/keys.js';
import { publish } from '../../../worker/publish/publish.js';

/** A publication, as the process that made it saw it. */
export interface Measured {
  type: 'published';
  ms: number;
  files: number;
  bytes: number;
  /** The most memory that the process ever had, in megabytes. */
  peakMb: number;
}

const { DATABASE_URL = '', FOLDER = '' } = process.env;
const database = openDatabase(DATABASE_URL);
const keys = [makeSigningKey('bench', new Uint8Array(32))];

process.on('message', async (message) => {
  if (message !== 'publish') return;
  const started = performance.now();
  const { files, bytes } = await publish(database, {
    folder: FOLDER,
    keys,
    now: new Date(),
    log: pino({ level: 'silent' }),
  });
  const ms = performance.now() - started;
  const peakMb = (process.resourceUsage().maxRSS * 1_024) / 1e6;
  process.send?.({ type: 'published', ms, files, bytes, peakMb } satisfies Measured);
});
process.on('disconnect', () => process.exit());
process.send?.({ type: 'ready' });
