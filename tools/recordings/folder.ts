import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../../core/process/project-files.js';
import { loadFeeds } from '../../worker/feeds/registry.js';
import { unrecorded } from './made-up.js';

/** The option of tools that names a folder of recorded responses of feeds. */
export const RECORDINGS_OPTION = {
  type: 'string',
  default: join(projectFolder, '..', 'shared', 'feeds'),
} as const;

/** The options `[--from FOLDER] [KEY…]`: a folder of recordings, and the feeds to read. Default: all recorded ones. */
export async function parseRecordings(args: string[]): Promise<{ from: string; keys: readonly string[] }> {
  const options = { from: RECORDINGS_OPTION };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const named = positionals.map((key) => key.toUpperCase());
  const recorded = [...(await loadFeeds()).keys()].filter((key) => !unrecorded.has(key));
  return { from: values.from, keys: named.length > 0 ? named : recorded };
}
