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
  recordedSpan,
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
  ok: boolean;
  /** The first thing that is wrong. */
  error?: string;
}

/**
 * Reads a feed's recordings under `<folder>/<key>` and compares what would be stored with `expected.json` there,
 * at twelve significant digits. Without one, the recordings must be read without an error and give rows.
 */
export async function checkFeed(feed: Feed, folder: string, log: Logger): Promise<FeedCheck> {
  try {
    const recordings = await readRecordings(folder, feed.key);
    const expectations = await readExpectations(join(folder, feed.key.toLowerCase(), 'expected.json'));
    return expectations
      ? await compareAll(feed, recordings, expectations, log)
      : await readAll(feed, recordings, log);
  } catch (error) {
    return { key: feed.key, expected: undefined, right: 0, ok: false, error: messageOf(error) };
  }
}

async function compareAll(
  feed: Feed,
  recordings: readonly NamedRecording[],
  expectations: readonly Expectation[],
  log: Logger,
): Promise<FeedCheck> {
  let expected = 0;
  let right = 0;
  let error: string | undefined;
  for (const one of expectations) {
    const outcome = await compare(feed, recordings, one, log);
    expected += one.rows.length;
    right += outcome.right;
    error ??= outcome.error;
  }
  return { key: feed.key, expected, right, ok: error === undefined, ...(error !== undefined && { error }) };
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

async function readAll(feed: Feed, recordings: readonly NamedRecording[], log: Logger): Promise<FeedCheck> {
  let right = 0;
  for (const recording of plainRecordings(recordings, feed.key)) {
    const span = recordedSpan(recording);
    const window = span && { after: span.from, upto: span.to };
    right += (await replayRecording(feed, recording, window ?? {}, log)).length;
  }
  const ok = right > 0;
  return { key: feed.key, expected: undefined, right, ok, ...(!ok && { error: 'no rows' }) };
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
