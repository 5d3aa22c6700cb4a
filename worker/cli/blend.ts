import type { Command } from 'commander';
import { rebuild } from '../blend/reblend.js';
import { type Run, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

export function define(blend: Command, run: Run): void {
  blend
    .command('rebuild')
    .description('blend all history; readers see the old blends until all are committed')
    .action(() => run(rebuildAll));
}

async function rebuildAll(session: Session): Promise<void> {
  const version = await useDatabase(session, async ({ database, announcements }) => {
    const onProgress = (done: number, total: number) => {
      session.stopping.throwIfAborted();
      session.progress.show('blending', done, total);
    };
    const made = await rebuild(database, { onProgress });
    if (made !== undefined) await announcements.publish(made);
    return made;
  });
  const done =
    version === undefined ? 'all blends were already up to date: checked' : `blended data version ${version}`;
  sayDone(session, done);
}
