import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { roundForStorage } from '../../core/domain/rounding.js';
import type { Feed, RateRow } from '../../worker/feeds/feed.js';
import {
  type NamedRecording,
  plainRecordings,
  readRecordings,
  readWholeRecordings,
  recordedWindow,
} from '../../worker/feeds/recordings.js';
import { replayRecording } from '../../worker/feeds/replay.js';

const day = z.iso.date();
const expectation = z.object({
  recording: z.string(),
  request: z.object({ after: day.nullable(), upto: day.nullable() }),
  compare: z.object({ from: day, to: day }),
  ambiguous: z.array(z.tuple([day, z.string(), z.string()])),
  rows: z.array(z.tuple([day, z.string(), z.string(), z.number()])),
});
export type Expectation = z.infer<typeof expectation>;

/** How one feed does against its recordings. */
export interface FeedCheck {
  key: string;
  /** Rows that should come; undefined where nothing is written down to compare with. */
  expected: number | undefined;
  /** Rows that came as they should; without an expectation, rows that came at all. */
  right: number;
  /** Rows of the recordings that nobody cut. */
  whole: number;
  ok: boolean;
  /** The first thing that is wrong. */
  error?: string;
}

/**
 * Reads a feed's recordings under `<folder>/<key>` and compares what would be stored with `expected.json` there,
 * at twelve significant digits. Without one, the recordings must be read without an error and give rows, and so must those
 * that nobody cut, over all their days, whose rows must not contradict the expected ones.
 */
export async function checkFeed(feed: Feed, folder: string, log: Logger): Promise<FeedCheck> {
  try {
    const recorded = await readRecordings(folder, feed.key);
    const expectations = await readExpectations(join(folder, feed.key.toLowerCase(), 'expected.json'));
    const check = expectations
      ? await compareAll(feed, recorded, expectations, log)
      : await readPlain(feed, recorded, log);
    const whole = await readWholeRecordings(folder, feed.key, recorded);
    const { rows, error } = await readWhole(feed, whole, expectations ?? [], log);
    const wrong = check.error ?? error;
    return { ...check, whole: rows, ok: wrong === undefined, ...(wrong !== undefined && { error: wrong }) };
  } catch (error) {
    return { key: feed.key, expected: undefined, right: 0, whole: 0, ok: false, error: messageOf(error) };
  }
}

type RecordedCheck = Omit<FeedCheck, 'whole' | 'ok'>;

async function compareAll(
  feed: Feed,
  recordings: readonly NamedRecording[],
  expectations: readonly Expectation[],
  log: Logger,
): Promise<RecordedCheck> {
  let expected = 0;
  let right = 0;
  let error: string | undefined;
  for (const one of expectations) {
    const outcome = await compare(feed, recordings, one, log);
    expected += one.rows.length;
    right += outcome.right;
    error ??= outcome.error;
  }
  return { key: feed.key, expected, right, ...(error !== undefined && { error }) };
}

async function compare(
  feed: Feed,
  recordings: readonly NamedRecording[],
  { recording: name, request, compare: { from, to }, ambiguous, rows }: Expectation,
  log: Logger,
): Promise<{ right: number; error?: string }> {
  const recording = recordings.find((one) => one.name === name);
  if (!recording) return { right: 0, error: `no recording ${name}` };
  const wanted = new Map(
    rows.map(([date, base, quote, rate]) => [`${date} ${base} ${quote}`, roundForStorage(rate)]),
  );
  const unsure = new Set(ambiguous.map((key) => key.join(' ')));
  const window = { after: request.after ?? undefined, upto: request.upto ?? undefined };
  let stored: RateRow[];
  try {
    stored = await replayRecording(feed, recording, window, log);
  } catch (error) {
    return { right: 0, error: messageOf(error) };
  }
  let right = 0;
  const wrong: string[] = [];
  for (const { date, base, quote, rate } of stored) {
    const key = `${date} ${base} ${quote}`;
    if (date < from || date > to || unsure.has(key)) continue;
    if (wanted.get(key) === rate) right++;
    else wrong.push(`${key} is ${rate}, not ${wanted.get(key) ?? 'there'}`);
    wanted.delete(key);
  }
  wrong.push(...[...wanted.keys()].filter((key) => !unsure.has(key)).map((key) => `${key} is missing`));
  return wrong.length === 0
    ? { right }
    : { right, error: `${name}: ${wrong.length} wrong: ${wrong.slice(0, 3).join('; ')}` };
}

async function readPlain(
  feed: Feed,
  recordings: readonly NamedRecording[],
  log: Logger,
): Promise<RecordedCheck> {
  let right = 0;
  for (const recording of plainRecordings(recordings, feed.key))
    right += (await rowsOf(feed, recording, log)).length;
  return { key: feed.key, expected: undefined, right, ...(right === 0 && { error: 'no rows' }) };
}

async function readWhole(
  feed: Feed,
  recordings: readonly NamedRecording[],
  expectations: readonly Expectation[],
  log: Logger,
): Promise<{ rows: number; error?: string }> {
  const expected = new Map(
    expectations.flatMap(({ rows, ambiguous }): [string, number][] => {
      const unsure = new Set(ambiguous.map(String));
      return rows
        .filter(([date, base, quote]) => !unsure.has(String([date, base, quote])))
        .map(([date, base, quote, rate]) => [`${date} ${base} ${quote}`, roundForStorage(rate)]);
    }),
  );
  let count = 0;
  for (const recording of recordings) {
    if (NOT_ASKED_ANY_MORE.has(`${feed.key} ${recording.name}`)) continue;
    try {
      const rows = await rowsOf(feed, recording, log);
      count += rows.length;
      for (const { date, base, quote, rate } of rows) {
        const key = `${date} ${base} ${quote}`;
        if ((expected.get(key) ?? rate) !== rate)
          return { rows: count, error: `${recording.name}: ${key} is ${rate}, not ${expected.get(key)}` };
      }
    } catch (error) {
      return { rows: count, error: `${recording.name}: ${messageOf(error)}` };
    }
  }
  return { rows: count };
}

/** Recordings of addresses that the feed does not ask for, with what is recorded there. */
export const NOT_ASKED_ANY_MORE: ReadonlyMap<string, string> = new Map([
  ['BNR ten_days', 'the list of the last ten days, at the former host'],
  ['BNR year_2026_04', 'the list of a year, at the former host'],
  ['BCBO years_2024_2026', 'sheets of years after 2007, where sheets of days are asked for'],
  ['CNB daily_json', 'lists of days, where that of a year is asked for'],
  ['BCP sdr_2024', 'the page of special drawing rights'],
]);

function rowsOf(feed: Feed, recording: NamedRecording, log: Logger): Promise<RateRow[]> {
  const { from, to } = recordedWindow(recording, feed);
  return replayRecording(feed, recording, { after: from, upto: to }, log);
}

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
