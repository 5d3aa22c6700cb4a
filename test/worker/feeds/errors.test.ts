import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { toCalendarDate } from '../../../core/domain/dates.js';
import { projectFolder } from '../../../core/process/project-files.js';
import { type Damage, damagesTo } from '../../../tools/feeds-damage/damages.js';
import { type BodyKind, kindOf } from '../../../tools/feeds-damage/form.js';
import { placeholderCredentials } from '../../../worker/feeds/credentials.js';
import { type Feed, FeedError } from '../../../worker/feeds/feed.js';
import {
  type Interaction,
  recordedBody,
  recordedClient,
} from '../../../worker/feeds/http/recorded-client.js';
import { readRates } from '../../../worker/feeds/read.js';
import { type NamedRecording, readRecordings, recordedSpan } from '../../../worker/feeds/recordings.js';
import { loadFeeds } from '../../../worker/feeds/registry.js';

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
const log = pino({ level: 'silent' });
const feeds = [...(await loadFeeds()).values()];

/** Larger recordings take too long to be read in part: they are emptied and replaced alone. */
const LARGEST = 80_000;
const NAMES = 2;

describe.skipIf(!existsSync(RECORDINGS))('an error of a damaged response', () => {
  it.each(feeds.map((feed) => [feed.key, feed] as const))(
    '%s: names the address, what is wrong and what was expected',
    async (key, feed) => {
      const recording = await inMemory(await mainRecording(key));
      for (const damage of sampleFor(recording, key)) {
        const message = await messageOf(feed, damaged(recording, damage));
        if (message === undefined) continue;
        const what = `${damage.kind} ${damage.detail}: ${message}`;
        expect(message, what).toMatch(/^https?:\/\/\S+: ./);
        expect(namesCause(message, damage), what).toBe(true);
      }
    },
    60_000,
  );
});

/** Whether the message holds the field that was renamed, or says what was found in place of what. */
function namesCause(message: string, { kind, detail }: Damage): boolean {
  if (kind === 'one name') return plain(message).includes(plain(detail));
  return /\b(not?|without|cut|0 of|missing|where|none|expected)\b/.test(message);
}

/** Without marks and case, and the characters of UTF-8 that a damaged text shows as bytes. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('&gt;', '>')
    .replace(/&\w+;|[^\x20-\x7e]|[\s"\\]/g, '');
}

/** A few damages to what most responses of the recording are, in the same order on every run. */
function sampleFor({ interactions }: NamedRecording, key: string): Damage[] {
  const bodies = interactions.map(({ body }) => body ?? new Uint8Array());
  const kind = kindOfMost(bodies);
  const isLarge = bodies.reduce((sum, { length }) => sum + length, 0) > LARGEST || kind === 'binary';
  const kinds: readonly (readonly [Damage['kind'], number])[] = [
    ['emptied', 1],
    ['HTML page', 1],
    ...(isLarge ? [] : SLOWER),
  ];
  const alike = bodies.filter((body) => kindOf(body) === kind);
  const all = damagesTo(isLarge ? 'binary' : kind, alike, key).filter(({ detail }) => detail.length < 60);
  return kinds.flatMap(([wanted, count]) => all.filter((damage) => damage.kind === wanted).slice(0, count));
}

const SLOWER = [
  ['cut at half', 1],
  ['no numbers', 1],
  ['dates changed', 1],
  ['names renamed', 1],
  ['one name', NAMES],
] as const;

function kindOfMost(bodies: readonly Uint8Array[]): BodyKind {
  const kinds = bodies.map(kindOf).filter((kind) => kind !== 'none');
  const count = (kind: BodyKind) => kinds.filter((one) => one === kind).length;
  return kinds.toSorted((one, other) => count(other) - count(one))[0] ?? 'binary';
}

function damaged(recording: NamedRecording, damage: Damage): NamedRecording {
  const kind = kindOfMost(recording.interactions.map(({ body }) => body ?? new Uint8Array()));
  const interactions = recording.interactions.map((one): Interaction => {
    const { body = new Uint8Array(), status } = one;
    const isMeant = status < 300 && (WHATEVER_IT_IS.includes(damage.kind) || kindOf(body) === kind);
    return body.length > 0 && isMeant ? { ...one, body: damage.apply(body) } : one;
  });
  return { ...recording, interactions };
}

const WHATEVER_IT_IS: readonly Damage['kind'][] = ['emptied', 'HTML page', 'cut at half'];

/** The message of the FeedError that the run ends with; undefined where it ends without one. */
async function messageOf(feed: Feed, recording: NamedRecording): Promise<string | undefined> {
  const span = recordedSpan(recording);
  const today = toCalendarDate(recording.recordedAt);
  try {
    await readRates(
      feed,
      { from: span?.from ?? today, to: span?.to },
      {
        http: recordedClient([recording]),
        today,
        log,
        credentials: placeholderCredentials(feed),
        recorded: true,
      },
    );
    return undefined;
  } catch (error) {
    if (error instanceof FeedError) return error.message;
    throw error;
  }
}

async function mainRecording(key: string): Promise<NamedRecording> {
  const recordings = await readRecordings(RECORDINGS, key);
  const recording = recordings.find(({ name }) => name === key.toLowerCase()) ?? recordings[0];
  if (!recording) throw new Error(`${key}: no recording`);
  return recording;
}

async function inMemory(recording: NamedRecording): Promise<NamedRecording> {
  const interactions = await Promise.all(
    recording.interactions.map(async (one) => ({ ...one, body: await recordedBody(one, recording.folder) })),
  );
  return { ...recording, interactions };
}
