import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { addDays, type CalendarDate, isCalendarDate } from '../../core/domain/dates.js';
import { isExcepted, providerOf } from '../../core/domain/providers.js';
import type { ReadRequest } from '../feeds/read.js';
import type { FeedAccess } from '../ingest/feed-source.js';

/** The path of a folder or a file. */
export function pathArgument(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty: expected a path.');
  return text;
}

/** `YYYY-MM-DD`. */
function dayArgument(text: string): CalendarDate {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('Expected a day, YYYY-MM-DD.');
  return text;
}

const toSeconds = z.iso.datetime({ offset: true });
const toMinutes = z.iso.datetime({ offset: true, precision: -1 });
const dayOrInstant = z.union([z.iso.date(), toSeconds, toMinutes]);

/** An instant with its offset, such as `2026-03-02T15:00Z`, or a day, which means its start in UTC. */
export function instantArgument(text: string): Date {
  if (dayOrInstant.safeParse(text).success) return new Date(text);
  throw new InvalidArgumentError('Expected a day, YYYY-MM-DD, or an instant, YYYY-MM-DDTHH:MMZ.');
}

/** In any case. */
export function keyArgument(text: string): string {
  const key = text.toUpperCase();
  if (isExcepted(key)) throw new InvalidArgumentError('PROVIDERS_EXCEPT leaves it out.');
  if (!providerOf(key)) throw new InvalidArgumentError('There is no such provider: see docs/sources.md.');
  return key;
}

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
