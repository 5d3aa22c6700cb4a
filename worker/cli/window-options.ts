import { type Command, Option } from 'commander';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import type { ReadRequest } from '../feeds/read.js';
import type { FeedAccess } from '../ingest/feed-source.js';
import { dayArgument } from './arguments.js';

export interface WindowOptions {
  from?: CalendarDate | undefined;
  to?: CalendarDate | undefined;
}

/** Both ends included. `--after` and `--upto`, as documented for recordings, mean the same. */
export function withWindow(command: Command, standard: string): Command {
  return command
    .addOption(
      new Option('--after, --from <day>', `first day, included (default: ${standard})`).argParser(
        dayArgument,
      ),
    )
    .addOption(
      new Option('--upto, --to <day>', 'last day, included (default: the newest)').argParser(dayArgument),
    )
    .hook('preAction', (_, action) => {
      const { from, to } = action.opts<WindowOptions>();
      if (from !== undefined && to !== undefined && from > to) action.error('error: --from is after --to');
    });
}

/** How many days before `--to` to start if it is earlier than the default first day. */
const DAYS_BEFORE = 13;

/** The days to read: those of the options; else those of the recording; else from `standard` on. */
export function windowOf(
  { from, to }: WindowOptions,
  { recorded }: Pick<FeedAccess, 'recorded'>,
  standard: CalendarDate,
): ReadRequest {
  const last = to ?? recorded?.to;
  const first = from ?? recorded?.from ?? standard;
  const isBefore = from === undefined && last !== undefined && last < first;
  return { from: isBefore ? addDays(last, -DAYS_BEFORE) : first, to: last };
}
