import type { Logger } from 'pino';
import type { SigningKey } from '../../core/publication/keys.js';
import type { Disk } from './folder.js';

/** How and where to publish. */
export interface PublishOptions {
  folder: string;
  /** All of them sign. */
  keys: readonly SigningKey[];
  now: Date;
  log: Logger;
  /** Providers whose own rates are left out. */
  omit?: readonly string[];
  /** Where others get the publication, and this API. */
  url?: string | undefined;
  api?: string | undefined;
  /** A command that is run after each publication. */
  hook?: string | undefined;
  /** From where to take the log, in place of the folder. */
  resume?: string | undefined;
  /** How much time passes at least between two records, in milliseconds. */
  everyMs?: number;
  stopping?: AbortSignal | undefined;
  /** How files are written, where a test lets that fail. */
  disk?: Disk;
}
