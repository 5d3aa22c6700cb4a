import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectFolder } from '../../core/process/project-files.js';
import { openPublicationFiles } from '../../core/publication/publication-files.js';
import { verifyPublication } from '../../core/publication/verify-publication.js';
import { KEY, publishRates, type Rates } from '../support/signed-publication.js';

export const UPLOAD = join(projectFolder, 'ops/publish/upload');
/** Where rclone is; empty if it is not installed. */
export const rclone = spawnSync('sh', ['-c', 'command -v rclone']).stdout.toString().trim();

const NOW = '2026-03-17T16:00:00.000Z';

/** A folder that is published into. Nothing else is in `home`, which `close` removes. */
export interface PublishedFolder {
  home: string;
  folder: string;
  /** What is in the folder. */
  files: Map<string, Buffer>;
  /** Publishes as the record after `size` others, and as version 4711 the first one. Writes `files` into the folder anew. */
  publish(rates: Rates, size: number): Promise<void>;
  /** Uploads the folder by rclone, which has these variables besides where programs are. */
  upload(to: string, variables?: NodeJS.ProcessEnv): Promise<{ status: number; stderr: string }>;
  close(): Promise<void>;
}

export async function openPublishedFolder(): Promise<PublishedFolder> {
  const home = await mkdtemp(join(tmpdir(), 'almanac-upload-'));
  const folder = join(home, 'rates');
  const files = new Map<string, Buffer>();
  return {
    home,
    folder,
    files,
    async publish(rates, size) {
      await publishRates(files, rates, { version: 4711 + size, size, now: NOW });
      await rm(folder, { recursive: true, force: true });
      for (const [path, bytes] of files) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), bytes);
      }
    },
    async upload(to, variables) {
      // A configuration of the machine, and variables that are meant for other programs, can make rclone fail.
      const env = { PATH: process.env.PATH, HOME: home, RCLONE_CONFIG: '/dev/null', ...variables };
      const child = spawn(UPLOAD, [to], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
      const [[status], stderr] = await Promise.all([once(child, 'close'), text(child.stderr)]);
      return { status, stderr };
    },
    close: () => rm(home, { recursive: true }),
  };
}

/** The version of a publication in which nothing is wrong. Throws a PublicationError for another one. */
export async function verify(location: string): Promise<number> {
  const at = openPublicationFiles(location);
  try {
    return (await verifyPublication(at, { keys: [KEY.verifier], now: new Date(NOW) })).record.version;
  } finally {
    await at.close();
  }
}
