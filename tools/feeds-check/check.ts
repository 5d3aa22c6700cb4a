import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import * as z from 'zod';
import { roundForStorage } from '../../core/domain/rounding.js';
import type { Feed, RateRow } from '../../worker/feeds/feed.js';
import type { Recording } from '../../worker/feeds/http/recorded-client.js';
import { plainRecordings, readRecordings, recordedWindow } from '../../worker/feeds/recordings.js';
import { replayRecording } from '../../worker/feeds/replay.js';
import { readWholeRecordings } from '../recordings/whole-recordings.js';

const day = z.iso.date();
const expectation = z.object({
  recording: z.string(),
  request: z.object({ after: day.nullable(), upto: day.nullable() }),
  compare: z.object({ from: day, to: day }),
  ambiguous: z.array(z.tuple([day, z.string(), z.string()])),
  rows: z.array(z.tuple([day, z.string(), z.string(), z.number()])),
});
type Expectation = z.infer<typeof expectation>;

/** The result of checking a feed against its recordings. */
export interface FeedCheck {
  key: string;
  /** The number of expected rows; undefined if there is no `expected.json`. */
  expected: number | undefined;
  /** The number of rows that match the expected ones; of all rows if none are expected. */
  right: number;
  /** The number of rows of uncut recordings. */
  whole: number;
  ok: boolean;
  /** The first thing that is wrong. */
  error?: string;
}

/**
 * Reads a feed's recordings under `<folder>/<key>` and compares what would be stored with `expected.json` there,
 * at twelve significant digits. Without that file, the recordings must give rows without an error. Uncut recordings must do
 * so over all their days, without contradicting the expected rows.
 */
export async function checkFeed(feed: Feed, folder: string, log: Logger): Promise<FeedCheck> {
  const { key } = feed;
  const check: FeedCheck = { key, expected: undefined, right: 0, whole: 0, ok: true };
  const wrong = (error: string) => {
    check.ok = false;
    check.error ??= error;
  };
  try {
    const recorded = await readRecordings(folder, key);
    const expectations = await readExpectations(join(folder, key.toLowerCase(), 'expected.json'));
    for (const expectation of expectations ?? []) {
      check.expected = (check.expected ?? 0) + expectation.rows.length;
      const recording = recorded.find(({ name }) => name === expectation.recording);
      if (!recording) wrong(`no recording ${expectation.recording}`);
      else check.right += await compare(feed, recording, expectation, { log, wrong });
    }
    for (const recording of expectations ? [] : plainRecordings(recorded, key))
      check.right += (await wholeRowsOf(feed, recording, log)).length;
    if (!expectations && check.right === 0) wrong('no rows');
    const expected = new Map((expectations ?? []).flatMap((one) => [...expectedRates(one)]));
    for (const recording of await readWholeRecordings(folder, key, recorded)) {
      if (NOT_ASKED_ANY_MORE.has(`${key} ${recording.name}`)) continue;
      const rows = await wholeRowsOf(feed, recording, log);
      check.whole += rows.length;
      const other = rows.find((row) => (expected.get(keyOf(row)) ?? row.rate) !== row.rate);
      if (other)
        wrong(`${recording.name}: ${keyOf(other)} is ${other.rate}, not ${expected.get(keyOf(other))}`);
    }
  } catch (error) {
    wrong(messageOf(error));
  }
  return check;
}

/** How many rows of a recording are as expected. Reports those that are not. */
async function compare(
  feed: Feed,
  recording: Recording,
  expectation: Expectation,
  { log, wrong }: { log: Logger; wrong(error: string): void },
): Promise<number> {
  const { request, compare: days, ambiguous } = expectation;
  const window = { from: request.after ?? undefined, to: request.upto ?? undefined };
  const wanted = expectedRates(expectation);
  const unsure = new Set(ambiguous.map((key) => key.join(' ')));
  const differences: string[] = [];
  let right = 0;
  for (const row of await replayRecording(feed, recording, window, log)) {
    const key = keyOf(row);
    if (row.date < days.from || row.date > days.to || unsure.has(key)) continue;
    if (wanted.get(key) === row.rate) right++;
    else differences.push(`${key} is ${row.rate}, not ${wanted.get(key) ?? 'there'}`);
    wanted.delete(key);
  }
  differences.push(...[...wanted.keys()].map((key) => `${key} is missing`));
  if (differences.length > 0)
    wrong(`${recording.name}: ${differences.length} wrong: ${differences.slice(0, 3).join('; ')}`);
  return right;
}

function expectedRates({ rows, ambiguous }: Expectation): Map<string, number> {
  const unsure = new Set(ambiguous.map((key) => key.join(' ')));
  const all = rows.map(
    ([date, base, quote, rate]) => [`${date} ${base} ${quote}`, roundForStorage(rate)] as const,
  );
  return new Map(all.filter(([key]) => !unsure.has(key)));
}

function keyOf({ date, base, quote }: RateRow): string {
  return `${date} ${base} ${quote}`;
}

async function wholeRowsOf(feed: Feed, recording: Recording, log: Logger): Promise<RateRow[]> {
  try {
    return await replayRecording(feed, recording, recordedWindow(recording, feed), log);
  } catch (cause) {
    throw new Error(`${recording.name}: ${messageOf(cause)}`, { cause });
  }
}

/** Recordings of addresses that the feed does not ask for, with what is recorded there. */
export const NOT_ASKED_ANY_MORE: ReadonlyMap<string, string> = new Map([
  ['BNR ten_days', 'the list of the last ten days, at the former host'],
  ['BNR year_2026_04', 'the list of a year, at the former host'],
  ['BCBO years_2024_2026', 'sheets of years after 2007, where sheets of days are asked for'],
  ['CNB daily_json', 'lists of days, where that of a year is asked for'],
  ['BCP sdr_2024', 'the page of special drawing rights'],
]);

/** What a feed's recordings should give; undefined where that is not written down. */
export async function readExpectations(path: string): Promise<Expectation[] | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return z.array(expectation).parse(JSON.parse(text));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
