import type { Command } from 'commander';
import { publish } from '../publish/publish.js';
import { publishSettings } from '../publish/settings.js';
import { pathArgument } from './arguments.js';
import { printLines, type Session, sayDone } from './session.js';
import { useDatabase } from './use-database.js';

export const help = `
The first time, all rates are written; afterwards, what is new. With PUBLISH_DIR, a worker does the same after each change.
Always use one folder with one key. If the folder is lost, --resume continues the log of a copy.`;

export function define(command: Command, session: Session): void {
  command
    .argument('<folder>', 'the folder to publish into', pathArgument)
    .option('--resume <url>', 'continue the log of a copy, at a URL or in a folder')
    .action(publishInto.bind(null, session));
}

async function publishInto(session: Session, folder: string, { resume }: { resume?: string }): Promise<void> {
  const { config, clock, log, progress, stopping } = session;
  const settings = await publishSettings(config);
  const { database } = await useDatabase(session);
  const { state, record, size, files, bytes } = await publish(database, {
    ...settings,
    folder,
    now: clock(),
    log,
    resume,
    stopping,
    onProgress: progress.show,
  });
  if (!record) {
    sayDone(session, 'there are no rates to publish: checked');
    return;
  }
  const { version, expires } = record;
  const written = state === 'nothing new' ? '' : `, ${files} files, ${bytes} bytes`;
  progress.stop();
  await printLines(session.stdout, [
    `${state}: version ${version}, record ${size}, valid until ${expires}${written}`,
    ...settings.keys.map(({ verifier }) => verifier.text),
  ]);
  sayDone(session, written === '' ? 'nothing new to publish: checked' : `${state}: wrote ${files} files`);
}
