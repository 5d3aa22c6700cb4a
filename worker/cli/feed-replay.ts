import { type Command, Option } from 'commander';
import type { CalendarDate } from '../../core/domain/dates.js';
import { loadFeed } from '../feeds/registry.js';
import { replay } from '../feeds/replay.js';
import { dayArgument, instantArgument, keyArgument } from './arguments.js';
import { printLines, rateLines } from './output.js';
import type { Run, Session } from './session.js';

interface ReplayOptions {
  recording: string;
  after?: CalendarDate;
  upto?: CalendarDate;
  now?: Date;
}

const EXAMPLE = `
Example:
  npm run --silent cli -- feed replay ECB --recording recorded/ecb.index.json --after 2026-03-02 --upto 2026-03-06`;

export function addFeedReplay(feed: Command, run: Run): void {
  feed
    .command('replay')
    .description('read a feed from a recording and print what would be stored, one JSON array a line, sorted')
    .argument('<key>', "the provider's key", keyArgument)
    .requiredOption('--recording <file>', 'index file of the recording; its bodies are in the same folder')
    .addOption(
      new Option('--after <day>', "first day, included (default: the provider's first)").argParser(
        dayArgument,
      ),
    )
    .addOption(new Option('--upto <day>', 'last day, included (default: open)').argParser(dayArgument))
    .addOption(
      new Option('--now <day>', 'day or instant of the run (default: that of the recording)').argParser(
        instantArgument,
      ),
    )
    .addHelpText('after', EXAMPLE)
    .action((key: string, options: ReplayOptions) => run((session) => replayFeed(session, key, options)));
}

async function replayFeed(session: Session, key: string, options: ReplayOptions): Promise<void> {
  const rows = await replay(await loadFeed(key), options.recording, options, session.log);
  await printLines(session.stdout, rateLines(rows));
}
