import type { Command } from 'commander';
import { rebuild } from '../blend/reblend.js';
import { openProgress } from './progress.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

export function addBlendRebuild(blend: Command, run: Run): void {
  blend
    .command('rebuild')
    .description('rebuild all blends; readers see the old ones until all are committed')
    .action(() => run(rebuildAll));
}

async function rebuildAll(session: Session): Promise<void> {
  const progress = openProgress(session);
  const version = await useDatabase(session, async ({ database, announcements }) => {
    const onProgress = (done: number, total: number) => {
      session.stopping.throwIfAborted();
      progress.show('blending', done, total);
    };
    const made = await rebuild(database, { onProgress });
    if (made !== undefined) await announcements.publish(made);
    return made;
  }).finally(() => progress.stop());
  say(session, version === undefined ? 'all blends were already up to date' : `data version ${version}`);
}
