import { type Command, Option } from 'commander';
import { addDays } from '../../core/domain/dates.js';
import { customSourceOf } from '../../core/sources/custom-sources.js';
import type { Feed } from '../feeds/feed.js';
import { readRecording } from '../feeds/http/recorded-client.js';
import { readRates } from '../feeds/read.js';
import { record } from '../feeds/record.js';
import { loadFeed } from '../feeds/registry.js';
import { byDateBaseQuote, replayRecording } from '../feeds/replay.js';
import { readContextOf } from '../ingest/feed-source.js';
import { newestWindow } from '../ingest/windows.js';
import { instantArgument, keyArgument, type WindowOptions, windowOf, withWindow } from './arguments.js';
import { CommandFailed, failureLine, printLines, rateLines, type Session, say } from './session.js';
import { useFeeds } from './use-feeds.js';

const RECENT_DAYS = 14;

interface FetchOptions extends WindowOptions {
  record?: string;
  recording?: string;
  now?: Date;
}

const HELP = `
With --record, the responses are kept in <folder>/<key>/recorded, with placeholders in place of keys. The path of the
recording is printed. With --recording, no request is sent.

Examples:
  npm run --silent cli -- feed fetch ECB --from 2026-11-02 --to 2026-11-06
  npm run feeds:record ECB
  npm run --silent cli -- feed fetch ECB --recording recordings/ecb/recorded/ecb.index.json`;

export function define(feed: Command, session: Session): void {
  const command = feed
    .command('fetch')
    .alias('replay')
    .description('read a bank and print what would be stored, one JSON array a line')
    .argument('<key>', "the provider's key", keyArgument)
    .addOption(
      new Option(
        '--record <folder>',
        'keep its responses for replay; replaces an earlier recording',
      ).conflicts('recording'),
    )
    .option('--recording <file>', 'read this recording, whose bodies are in the same folder, not the bank')
    .addOption(
      new Option('--now <day>', 'day or instant of the run with --recording (default: its own)').argParser(
        instantArgument,
      ),
    )
    .addHelpText('after', HELP);
  const standard = `${RECENT_DAYS} days back; the newest with --record, all with --recording`;
  withWindow(command, standard).action(readFeed.bind(null, session));
}

async function readFeed(session: Session, key: string, options: FetchOptions): Promise<void> {
  if (options.record !== undefined && customSourceOf(key))
    throw new CommandFailed(`${key} is a source of your own: its file may hold secrets`);
  const feed = await loadFeed(key);
  if (options.recording !== undefined) return replayFeed(session, feed, options.recording, options);
  if (options.record !== undefined) return recordFeed(session, feed, options.record, options);
  return fetchFeed(session, feed, options);
}

async function replayFeed(session: Session, feed: Feed, file: string, options: FetchOptions): Promise<void> {
  const recording = await readRecording(file);
  const rows = await replayRecording(feed, recording, options, session.log);
  await printLines(session.stdout, rateLines(rows));
}

async function fetchFeed(session: Session, feed: Feed, options: FetchOptions): Promise<void> {
  const access = await (await useFeeds(session)).open(feed);
  const context = readContextOf(access, session.log);
  const window = windowOf(options, access, addDays(context.today, 1 - RECENT_DAYS));
  const { rows, dropped, skipped, unread, noData } = await readRates(feed, window, context);
  await printLines(session.stdout, rateLines(rows.sort(byDateBaseQuote)));
  for (const [reason, count] of Object.entries({ ...dropped, ...skipped }))
    say(session, `dropped ${count}: ${reason}`);
  for (const { from, to, reason } of unread) say(session, `set aside ${from} to ${to}: ${reason}`);
  for (const reason of Object.keys(noData)) say(session, `no data: ${reason}`);
}

async function recordFeed(
  session: Session,
  feed: Feed,
  folder: string,
  { from, to }: FetchOptions,
): Promise<void> {
  const { clock, log, stdout } = session;
  const access = await (await useFeeds(session)).open(feed);
  const context = readContextOf(access, log);
  const newest = newestWindow(feed, context.today);
  const window = windowOf({ from, to: to ?? newest.to }, access, newest.from);
  const { index, responses, bytes, outcome } = await record(feed, window, context, { folder, clock });
  await printLines(stdout, [index]);
  say(session, `kept ${responses} ${responses === 1 ? 'response' : 'responses'}, ${bytes} bytes`);
  if ('error' in outcome)
    throw new CommandFailed(`its responses can't be read: ${failureLine(outcome.error)}`);
}
