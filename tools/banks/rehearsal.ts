import type { Logger } from 'pino';
import { systemClock } from '../../core/domain/clock.js';
import { toCalendarDate } from '../../core/domain/dates.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { type Feed, FeedError } from '../../worker/feeds/feed.js';
import type { HttpClient } from '../../worker/feeds/http/client.js';
import { openHttpClient } from '../../worker/feeds/http/live-client.js';
import { recordedClient } from '../../worker/feeds/http/recorded-client.js';
import { type NamedRecording, recordedWindow } from '../../worker/feeds/recordings.js';
import { readRecorded } from '../../worker/feeds/replay.js';
import { caseCounts } from '../../worker/feeds/tally.js';
import type { Authority } from './authority.js';
import type { Counts } from './bank-server.js';
import type { Ending, Scenario } from './scenario.js';
import { type ScenarioName, scenarios } from './scenarios.js';
import { serveBanks } from './start-banks.js';

const HOUR_MS = 3_600_000;

/**
 * The outcome of a reading: the recorded rows; an error; fewer rows, the missing ones counted as unreadable; fewer rows
 * without a report; or wrong rows, or an error of the program itself.
 */
export type Outcome = 'right' | 'error' | 'counted' | 'lost' | 'wrong';

/** One reading of a recording from its bank in a scenario. */
export interface Cell extends Counts {
  key: string;
  recording: string;
  scenario: ScenarioName;
  outcome: Outcome;
  /** The error, or the first row that differs. */
  what: string;
  /** Why the scenario may not end so. */
  fault: string | undefined;
}

/** What a recording gives where it is read without a network. */
export interface Expected {
  feed: Feed;
  recording: NamedRecording;
  run: Run;
}

interface Run {
  rows: ReadonlyMap<string, number>;
  /** Records that gave no rate. */
  skipped: number;
  /** The reports of documents that are of other days or can't be read. */
  reports: readonly string[];
}

/** What a recording gives, or why it can't be rehearsed: some show what a source is not to do. */
export async function expectationOf(
  feed: Feed,
  recording: NamedRecording,
  log: Logger,
): Promise<Expected | { without: string }> {
  try {
    const run = await read(feed, recording, recordedClient([recording]), log);
    return run.rows.size > 0 ? { feed, recording, run } : { without: 'no rows' };
  } catch (error) {
    if (isOfBank(error)) return { without: error.message };
    throw error;
  }
}

/** Reads the recording from its bank through the client for banks, as often as the scenario has endings. */
export async function rehearse(
  expected: Expected,
  name: ScenarioName,
  { authority, log }: { authority: Authority; log: Logger },
): Promise<Cell[]> {
  const { feed, recording } = expected;
  const { key } = feed;
  const scenario: Scenario = scenarios[name];
  let passed = 0;
  const clock = () => new Date(systemClock().getTime() + passed);
  const banks = await serveBanks([{ key, recordings: [recording], scenario }], { authority, clock });
  const client = openHttpClient({ ...banks.client, clock, limits: { backOff: 1, ...scenario.limits } });
  const cells: Cell[] = [];
  try {
    let before: Counts = { connections: 0, requests: 0, bytes: 0 };
    for (const ending of scenario.ends) {
      const { outcome, what } = await outcomeOf(expected.run, () => read(feed, recording, client, log));
      const after = banks.counts(key);
      cells.push({
        key,
        recording: recording.name,
        scenario: name,
        outcome,
        what,
        fault: faultOf(outcome, what, ending, scenario),
        connections: after.connections - before.connections,
        requests: after.requests - before.requests,
        bytes: after.bytes - before.bytes,
      });
      before = after;
      passed += HOUR_MS;
      banks.rewind();
    }
  } finally {
    await client.close();
    await banks.close();
  }
  return cells;
}

async function read(feed: Feed, recording: NamedRecording, http: HttpClient, log: Logger): Promise<Run> {
  const window = recordedWindow(recording, feed);
  const today = toCalendarDate(recording.recordedAt);
  const { rows, skipped, dropped, mismatches, unread } = await readRecorded(feed, window, {
    http,
    today,
    log,
  });
  const counts = [...Object.values(caseCounts(skipped)), ...Object.values(dropped)];
  return {
    rows: new Map(rows.map(({ date, base, quote, rate }) => [`${date} ${base} ${quote}`, rate])),
    skipped: counts.reduce((sum, count) => sum + count, 0),
    reports: [...mismatches, ...unread.map(({ reason }) => reason)],
  };
}

async function outcomeOf(
  expected: Run,
  attempt: () => Promise<Run>,
): Promise<{ outcome: Outcome; what: string }> {
  let got: Run;
  try {
    got = await attempt();
  } catch (error) {
    if (isOfBank(error)) return { outcome: 'error', what: error.message };
    return { outcome: 'wrong', what: `not an error of feeds: ${String(error)}` };
  }
  const report = got.reports.find((one) => !expected.reports.includes(one));
  if (report !== undefined) return { outcome: 'error', what: report };
  const other = [...got.rows].find(([row, rate]) => expected.rows.get(row) !== rate);
  if (other)
    return { outcome: 'wrong', what: `${other.join(' is ')}, not ${expected.rows.get(other[0]) ?? 'there'}` };
  if (got.rows.size === expected.rows.size) return { outcome: 'right', what: '' };
  return {
    outcome: got.skipped > expected.skipped ? 'counted' : 'lost',
    what: `${got.rows.size} of ${expected.rows.size} rows`,
  };
}

function faultOf(outcome: Outcome, what: string, ending: Ending, { says }: Scenario): string | undefined {
  if (outcome !== 'right' && outcome !== 'error') return `${outcome}: ${what}`;
  if (ending !== 'either' && ending !== outcome) return `has to end ${ending}${what && `: ${what}`}`;
  if (outcome === 'error' && !what.includes('://')) return `names no address: ${what}`;
  if (outcome === 'error' && says && !says.test(what)) return `does not say ${says.source}: ${what}`;
  return undefined;
}

/** Whether it is an error that feeds and their client throw, and not one of the program's own. */
export function isOfBank(error: unknown): error is Error {
  return error instanceof FeedError || error instanceof HttpClientError;
}
