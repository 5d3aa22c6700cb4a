import type { Command } from 'commander';
import { rebuild } from '../blend/reblend.js';
import { openProgress } from './progress.js';
import { type Run, type Session, say } from './session.js';
import { useDatabase } from './use-database.js';

export function addBlendRebuild(blend: Command, run: Run): void {
  blend
    .command('rebuild')
    .description('blend all history again; readers see the old blends until all are committed')
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
  say(session, version === undefined ? 'every blend was right already' : `data version ${version}`);
}
