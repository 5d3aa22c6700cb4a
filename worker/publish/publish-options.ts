import type { Logger } from 'pino';
import type { ShowProgress } from '../../core/process/progress.js';
import type { SigningKey } from '../../core/publication/keys.js';
import type { Disk } from './folder.js';

export interface PublishOptions {
  folder: string;
  /** Each of them signs. */
  keys: readonly SigningKey[];
  now: Date;
  log: Logger;
  /** Providers whose own rates are left out. */
  omit?: readonly string[];
  /** The public URLs of the publication and of this API. */
  url?: string | undefined;
  api?: string | undefined;
  /** A command to run after each publication. */
  hook?: string | undefined;
  /** The URL or folder to copy the log from, if this folder does not have it. */
  resume?: string | undefined;
  /** The minimum time between two records, in milliseconds. */
  everyMs?: number;
  onProgress?: ShowProgress | undefined;
  stopping?: AbortSignal | undefined;
  /** How to write files. Tests make this fail. */
  disk?: Disk;
}
