import type { Command } from 'commander';
import { customSourceOf } from '../../core/sources/custom-sources.js';
import { type MadeRecording, record } from '../feeds/record.js';
import { loadFeed } from '../feeds/registry.js';
import { newestWindow } from '../ingest/windows.js';
import { keyArgument } from './arguments.js';
import { CommandFailed, failureLine } from './failure.js';
import { printLines, rateLines } from './output.js';
import { type Run, type Session, say } from './session.js';
import { useFeed } from './use-feed.js';
import { type WindowOptions, windowOf, withWindow } from './window-options.js';

const FOLDER = 'recordings';

interface RecordOptions extends WindowOptions {
  out: string;
}

const EXAMPLE = `
Prints the path of the recording, and reads it again: the rates are to be the same. Keys are not in it, but placeholders.

Examples:
  npm run feeds:record ECB
  npm run feeds:record -- ECB --from 2026-11-02 --to 2026-11-06 --out /tmp/recordings`;

export function addFeedRecord(feed: Command, run: Run): void {
  const command = feed
    .command('record')
    .description('read a bank and record its responses for replay')
    .argument('<key>', "the provider's key", keyArgument)
    .option(
      '--out <folder>',
      'folder of the recording, in <key>/recorded; replaces one of the same name',
      FOLDER,
    )
    .addHelpText('after', EXAMPLE);
  withWindow(command, 'the newest days').action((key: string, options: RecordOptions) =>
    run((session) => recordFeed(session, key, options)),
  );
}

async function recordFeed(session: Session, key: string, { out, ...options }: RecordOptions): Promise<void> {
  const { clock, stdout } = session;
  if (customSourceOf(key))
    throw new CommandFailed(`${key} is a source of your own: its file may hold secrets`);
  const feed = await loadFeed(key);
  await useFeed(session, feed, async (context, access) => {
    const newest = newestWindow(feed, context.today);
    const days = { ...(newest.to !== undefined && { to: newest.to }), ...options };
    const made = await record(feed, windowOf(days, access, newest.from), context, { folder: out, clock });
    await printLines(stdout, [made.index]);
    const responses = made.responses === 1 ? 'response' : 'responses';
    say(session, `kept ${made.responses} ${responses}, ${made.bytes} bytes`);
    report(session, made);
  });
}

function report(session: Session, { live, replayed, odd, standIns }: MadeRecording): void {
  const [first] = standIns;
  if (first !== undefined)
    say(session, `${standIns.length} requests of the replay differ from before, such as ${first}`);
  if ('error' in live) throw new CommandFailed(`its responses can't be read: ${failureLine(live.error)}`);
  if ('error' in replayed)
    throw new CommandFailed(`the recording can't be read again: ${failureLine(replayed.error)}`);
  if (odd) throw new CommandFailed(`the recording gives different rates, such as ${[...rateLines([odd])]}`);
  say(session, `the recording gives the same ${live.rows.length} rates`);
}
