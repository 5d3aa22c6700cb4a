import { join } from 'node:path';
import type { Logger } from 'pino';
import { addDays, type CalendarDate, toCalendarDate } from '../../core/domain/dates.js';
import { providers } from '../../core/domain/providers.js';
import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { BEFORE_ALL, type Feed, FeedError } from '../../worker/feeds/feed.js';
import {
  type Interaction,
  type Recording,
  recordedBody,
  recordedClient,
} from '../../worker/feeds/http/recorded-client.js';
import {
  type NamedRecording,
  plainRecordings,
  readRecordings,
  recordedSpan,
} from '../../worker/feeds/recordings.js';
import { readRecorded } from '../../worker/feeds/replay.js';
import { caseCounts, type Tally } from '../../worker/feeds/tally.js';
import { readExpectations } from '../feeds-check/check.js';
import { damagesTo, formOf } from './damages.js';
import { type BodyKind, kindOf, toBytes } from './form.js';
import { reasonUndecidable } from './undecidable.js';

/** What became of one damaged response. The last four are defects. */
type Outcome =
  | 'unaffected'
  | 'error'
  | 'counted'
  | 'no data'
  | 'undecidable'
  | 'silent zero'
  | 'silent fewer'
  | 'other values'
  | 'crash';

const DEFECTS: readonly Outcome[] = ['silent zero', 'silent fewer', 'other values', 'crash'];
/** In bytes; of longer responses the first and last records are read, as each is read a hundred times. */
const LONG = 200_000;

/** A recording with one damage. */
interface Damaged {
  /** The kind of request whose responses were damaged. */
  place: string;
  damage: string;
  /** Which of several damages of its kind. */
  detail: string;
  damaged: Recording;
}

/** One damage to one recording, and its outcome. */
export interface Case extends Omit<Damaged, 'damaged'> {
  recording: string;
  outcome: Outcome;
  /** The error's message, the reasons that were counted, or the first rows that differ. */
  what: string;
}

/** Whether it is a wrong or lost rate that nothing reports. */
export function isDefect({ outcome }: Case): boolean {
  return DEFECTS.includes(outcome);
}

/** A recording with its bodies in memory, and the window to read from it. */
interface Subject {
  feed: Feed;
  recording: NamedRecording;
  window: { from: CalendarDate; to: CalendarDate | undefined };
}

/** What a run gave, as far as damages change it. */
interface Run {
  rows: ReadonlyMap<string, number>;
  /** Records that gave no rate, by reason. */
  skipped: ReadonlyMap<string, number>;
  noData: number;
  mismatches: number;
  /** Documents that could not be read. */
  unread: number;
  reasons: string;
}

/** Each damage to each kind of response of each recording of a feed under `<folder>/<key>`. */
export async function damageFeed(feed: Feed, folder: string, log: Logger): Promise<Case[]> {
  const cases: Case[] = [];
  for (const subject of await subjectsOf(feed, folder))
    cases.push(...(await damageRecording(await shortened(subject, log), log)));
  return cases;
}

async function subjectsOf(feed: Feed, folder: string): Promise<Subject[]> {
  const recordings = await readRecordings(folder, feed.key);
  const expectations = await readExpectations(join(folder, feed.key.toLowerCase(), 'expected.json'));
  const wanted = expectations
    ? expectations.map(({ recording, request }) => ({ name: recording, window: request }))
    : plainRecordings(recordings, feed.key).map(({ name }) => ({ name, window: undefined }));
  const subjects: Subject[] = [];
  for (const { name, window } of wanted) {
    const recording = recordings.find((one) => one.name === name);
    if (!recording) continue;
    const span = window ? undefined : recordedSpan(recording);
    const from = window?.after ?? span?.from ?? firstDayOf(feed.key);
    const to = window ? (window.upto ?? undefined) : span?.to;
    subjects.push({ feed, recording: await inMemory(recording), window: { from, to } });
  }
  return subjects;
}

/** The subject with its long responses shortened, where they can be read so. */
async function shortened(subject: Subject, log: Logger): Promise<Subject> {
  const { recording } = subject;
  const short = withBodies(recording, recording.interactions, (body) => {
    const shorten = body.length > LONG ? formOf(kindOf(body))?.shortened : undefined;
    return shorten ? toBytes(shorten)(body) : body;
  });
  if (!short) return subject;
  try {
    return (await run(subject, short, log)).rows.size > 0 ? { ...subject, recording: short } : subject;
  } catch (error) {
    // Such as a source that prints how many records there are.
    if (error instanceof FeedError) return subject;
    throw error;
  }
}

async function damageRecording(subject: Subject, log: Logger): Promise<Case[]> {
  const { feed, recording } = subject;
  const intact = await run(subject, recording, log);
  const cases: Case[] = [];
  for await (const { damaged, ...one } of damagedOnes(subject, intact, log)) {
    const { outcome, what } = await outcomeOf(intact, () => run(subject, damaged, log), one.damage);
    const found: Case = { ...one, recording: recording.name, outcome, what };
    const reason = isDefect(found) ? reasonUndecidable(feed.key, one.damage, one.detail) : undefined;
    cases.push(reason === undefined ? found : { ...found, outcome: 'undecidable', what: reason });
  }
  const earlier = otherDays(subject);
  if (!earlier) return cases;
  const away = { ...intact, rows: new Map() };
  const { outcome, what } = await outcomeOf(away, () => run(earlier, recording, log), "today's response");
  return [
    ...cases,
    {
      ...{ recording: recording.name, place: 'all', damage: "today's response" },
      ...{ detail: 'days two years before', what },
      // What an archive has of those days is right too: their dates are its own.
      outcome: outcome === 'unaffected' ? 'silent zero' : outcome === 'other values' ? 'unaffected' : outcome,
    },
  ];
}

/** Damages that are also done to one response of several. */
const ALSO_ALONE = ['cut at half', 'emptied', 'HTML page'];

async function* damagedOnes(subject: Subject, intact: Run, log: Logger): AsyncGenerator<Damaged> {
  const { feed, recording } = subject;
  for (const [place, members] of placesOf(recording)) {
    const bodies = members.map(({ body }) => body ?? new Uint8Array());
    const kind = kindOf(bodies.find((body) => body.length > 0) ?? new Uint8Array());
    if (kind === 'none') continue;
    const isUsable = await isReadAlike(kind, subject, members, intact, log);
    const middle = members.slice(members.length >> 1, (members.length >> 1) + 1);
    const damages = damagesTo(isUsable ? kind : 'binary', bodies, `${feed.key} ${place}`);
    for (const { kind: damage, detail, apply, status } of damages) {
      const toItsKind = (body: Uint8Array) => (kindOf(body) === kind ? apply(body) : body);
      const damaged = withBodies(recording, members, toItsKind, status);
      if (damaged) yield { place, damage, detail, damaged };
      const isAlso = members.length > 1 && ALSO_ALONE.includes(damage);
      const alone = isAlso ? withBodies(recording, middle, apply) : undefined;
      if (alone) yield { place, damage, detail: 'one response of several', damaged: alone };
    }
    const other = exchanged(recording, members);
    if (other) yield { place, detail: '', ...other };
  }
}

/** Responses that answer one kind of request: the same method and path but for numbers, by that. */
function placesOf(recording: Recording): Map<string, Interaction[]> {
  const places = new Map<string, Interaction[]>();
  for (const interaction of recording.interactions) {
    const { host, pathname } = new URL(interaction.url);
    const place = `${interaction.method} ${host}${pathname.replace(/\d+/g, '#')}`;
    places.set(place, [...(places.get(place) ?? []), interaction]);
  }
  return places.size > 6 ? new Map([['all', [...recording.interactions]]]) : places;
}

/** The recording with these bodies damaged; undefined where the damage changes none of them. */
function withBodies(
  recording: NamedRecording,
  members: readonly Interaction[],
  damage: (body: Uint8Array) => Uint8Array,
  status?: number,
): NamedRecording | undefined {
  let changed = false;
  const interactions = recording.interactions.map((one) => {
    if (!members.includes(one) || !one.body || one.status >= 300 || one.body.length === 0) return one;
    const body = damage(one.body);
    if (Buffer.compare(body, one.body) !== 0) changed = true;
    return { ...one, body, status: status ?? one.status };
  });
  return changed ? { ...recording, interactions } : undefined;
}

/** Every request answered by the last response, or each by the next one's where they ask for other currencies. */
function exchanged(
  recording: NamedRecording,
  members: readonly Interaction[],
): Pick<Damaged, 'damage' | 'damaged'> | undefined {
  const usual = members.filter(({ status }) => status < 300);
  const last = usual.at(-1);
  if (!last || usual.length < 2) return undefined;
  const asked = ({ url, requestBody }: Interaction) => `${url} ${requestBody ?? ''}`;
  const subjects = new Set(usual.map((one) => asked(one).replace(/\d+|%2F/g, '')));
  const isPerCurrency = subjects.size === usual.length;
  const given = new Map(usual.map((one, at) => [one, isPerCurrency ? (usual[at + 1] ?? usual[0]) : last]));
  const interactions = recording.interactions.map(
    (one) => ({ ...one, body: (given.get(one) ?? one).body }) as Interaction,
  );
  if (interactions.every(({ body }, at) => body === recording.interactions[at]?.body)) return undefined;
  return {
    damage: isPerCurrency ? 'another currency' : "today's response",
    damaged: { ...recording, interactions },
  };
}

/** The same subject asked for days two years before those recorded; undefined where requests name no days. */
function otherDays(subject: Subject): Subject | undefined {
  const { from, to } = subject.window;
  if (!recordedSpan(subject.recording) || to === undefined || from < '2015-01-01') return undefined;
  const [earlierFrom, earlierTo] = [addDays(from, -728), addDays(to, -728)];
  const first = subject.feed.firstDay ?? firstDayOf(subject.feed.key);
  if (earlierFrom < first || earlierTo >= from) return undefined;
  return { ...subject, window: { from: earlierFrom, to: earlierTo } };
}

/** Whether bodies of this form can be taken apart and written back without a change to what is read. */
async function isReadAlike(
  kind: BodyKind,
  subject: Subject,
  members: readonly Interaction[],
  intact: Run,
  log: Logger,
): Promise<boolean> {
  const form = formOf(kind);
  if (!form) return false;
  try {
    const same = withBodies(subject.recording, members, (body) =>
      kindOf(body) === kind ? toBytes(form.same)(body) : body,
    );
    if (!same) return true;
    const again = await run(subject, same, log);
    return differences(intact.rows, again.rows).length === 0 && again.rows.size === intact.rows.size;
  } catch {
    return false;
  }
}

async function run({ feed, window }: Subject, recording: Recording, log: Logger): Promise<Run> {
  const today = toCalendarDate(recording.recordedAt);
  const http = recordedClient([recording]);
  const { rows, dropped, ...read } = await readRecorded(feed, window, { http, today, log });
  return {
    rows: new Map(rows.map(({ date, base, quote, rate }) => [`${date} ${base} ${quote}`, rate])),
    skipped: new Map([...Object.entries(caseCounts(read.skipped)), ...Object.entries(dropped)]),
    noData: total(read.noData),
    mismatches: read.mismatches.length,
    unread: read.unread.length,
    reasons: [...Object.keys(read.skipped), ...Object.keys(dropped), ...Object.keys(read.noData)].join('; '),
  };
}

async function outcomeOf(
  intact: Run,
  damaged: () => Promise<Run>,
  damage: string,
): Promise<{ outcome: Outcome; what: string }> {
  let after: Run;
  try {
    after = await damaged();
  } catch (error) {
    const known = error instanceof FeedError || error instanceof HttpClientError;
    return {
      outcome: known ? 'error' : 'crash',
      what: error instanceof Error ? error.message : String(error),
    };
  }
  if (after.mismatches > intact.mismatches)
    return { outcome: 'error', what: 'about something else than asked for' };
  const wrong = differences(intact.rows, after.rows);
  if (wrong.length > 0)
    return { outcome: 'other values', what: `${wrong.length}: ${wrong.slice(0, 2).join('; ')}` };
  if (after.unread > intact.unread) return { outcome: 'error', what: "a document that can't be read" };
  const lost = intact.rows.size - after.rows.size;
  const isCut = damage === 'cut at half' || damage === 'cut at random';
  // A cut takes records away: one odd record at its end does not tell of the others.
  const counted = [...after.skipped].map(([reason, count]) => count - (intact.skipped.get(reason) ?? 0));
  const more = counted.reduce((sum, count) => sum + Math.max(0, count), 0);
  if (more > 0 && (lost > 0 || after.rows.size === 0) && (!isCut || more >= lost))
    return { outcome: 'counted', what: after.reasons };
  if (after.noData > intact.noData) return { outcome: 'no data', what: after.reasons };
  // A column that is one currency's, or one day's: the source does not list it.
  const isOneGone = damage === 'one name removed' && isOneCurrencyOrDayLost(intact, after);
  if (lost === 0 || isOneGone) return { outcome: 'unaffected', what: '' };
  return {
    outcome: after.rows.size === 0 ? 'silent zero' : 'silent fewer',
    what: `${after.rows.size} of ${intact.rows.size}`,
  };
}

/** Whether the rows that are gone are all those of one currency, or of one day. */
function isOneCurrencyOrDayLost(intact: Run, after: Run): boolean {
  const lost = [...intact.rows.keys()].filter((key) => !after.rows.has(key));
  const parts = [(key: string) => key.slice(11), (key: string) => key.slice(0, 10)];
  return parts.some((part) => {
    const gone = new Set(lost.map(part));
    return gone.size === 1 && ![...after.rows.keys()].some((key) => gone.has(part(key)));
  });
}

/** Rows that are there and should not be, or have another rate. */
function differences(intact: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  return [...after]
    .filter(([key, rate]) => intact.get(key) !== rate)
    .map(([key, rate]) => `${key} is ${rate}, not ${intact.get(key) ?? 'there'}`);
}

async function inMemory(recording: NamedRecording): Promise<NamedRecording> {
  const interactions = await Promise.all(
    recording.interactions.map(async (one) => ({ ...one, body: await recordedBody(one, recording.folder) })),
  );
  return { ...recording, interactions };
}

function firstDayOf(key: string): CalendarDate {
  return providers.find((provider) => provider.key === key)?.coverage_start ?? BEFORE_ALL;
}

function total(tally: Tally): number {
  return Object.values(tally).reduce((sum, { count }) => sum + count, 0);
}
