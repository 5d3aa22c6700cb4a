import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { openDatabase, THREAD_CONNECTIONS } from '../../core/database/database.js';
import type { ErrorMessage } from '../../core/process/error-message.js';
import { lowerThreadPriority } from '../../core/process/priority.js';
import { useSources } from '../../core/sources/custom-sources.js';
import { type Content, isStream, type Task } from '../http/reply.js';
import { useProviders } from '../publication/not-published.js';
import { receivedSnapshot, type WholeSnapshot } from '../rates/snapshot/snapshot.js';
import { openKeptRates } from '../rates/sources/kept-rates.js';
import { type DatabaseContext, openDatabaseContext } from './database-context.js';
import { asUnavailable, toMessage } from './errors.js';
import { openGivenContext, type PublishedData } from './published-context.js';
import { begin, make } from './renderer.js';
import { sendStream } from './stream-port.js';

/** For a thread on a database. A thread on a publication gets all it needs with each message. */
export interface ThreadData {
  databaseUrl: string;
  sources: Parameters<typeof useSources>[0];
}

export interface MakeMessage extends Pick<Task, 'maker' | 'input'> {
  /** Undefined for content that is not made from a snapshot. */
  version: string | undefined;
  /** Only if the thread does not have that data version yet. */
  snapshot: WholeSnapshot | undefined;
  /** Only without a database. */
  published: PublishedData | undefined;
  /** The instant of the request, in milliseconds since 1970. */
  now: number;
  /** Carries the chunks of a stream. Closes when nothing waits for the content any more. */
  port: MessagePort;
}

/** A whole body, or one whose chunks come through the port. */
export type MadeMessage =
  | { content: Omit<Content, 'body'>; body: string | Uint8Array | undefined }
  | { error: ErrorMessage };

/** Requests that were resolved before the newest data version still use their own. */
const SNAPSHOTS_KEPT = 3;

lowerThreadPriority();

const data = workerData as ThreadData | undefined;
const contextOf = data ? onDatabase(data) : onPublication;
const snapshots = new LRUCache<string, WholeSnapshot>({ max: SNAPSHOTS_KEPT });

function onDatabase({ databaseUrl, sources }: ThreadData): () => DatabaseContext {
  useSources(sources);
  const database = openDatabase(databaseUrl, { connections: THREAD_CONNECTIONS });
  const kept = openKeptRates((made) => parentPort?.postMessage(made));
  const context = openDatabaseContext(database, kept);
  return () => context;
}

function onPublication(published: PublishedData | undefined): DatabaseContext {
  if (!published) throw new Error('there is nothing to make a content from');
  useProviders(published.providers);
  return openGivenContext(published);
}

export default async function render(message: MakeMessage): Promise<MadeMessage> {
  const { version = '', snapshot, published, now, port } = message;
  if (snapshot) snapshots.set(version, receivedSnapshot(snapshot));
  const leaving = new AbortController();
  port.once('close', () => leaving.abort());
  const { signal } = leaving;
  try {
    const known = snapshots.get(version) as WholeSnapshot;
    const clock = () => new Date(now);
    const made = await begin(
      await make(message, { snapshot: known, clock, signal, ...contextOf(published) }),
    );
    const { body, ...content } = made;
    if (!isStream(body)) return { content, body };
    sendStream(port, body, signal);
    return { content, body: undefined };
  } catch (error) {
    return { error: toMessage(asUnavailable(error)) };
  }
}
