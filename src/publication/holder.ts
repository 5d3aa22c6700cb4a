import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createGate } from '../../core/concurrency/gate.js';
import type { Clock } from '../../core/domain/dates.js';
import type { Proxies } from '../../core/http-client/proxies.js';
import {
  type Checkpoint,
  checkpointText,
  MOST_CHECKPOINT_BYTES,
  parseCheckpoint,
} from '../../core/publication/checkpoint.js';
import type { VerifierKey } from '../../core/publication/keys.js';
import { type LogRecord, linesText, logPath } from '../../core/publication/log.js';
import type { Manifest, ManifestFile } from '../../core/publication/manifest.js';
import {
  CHECKPOINT,
  checkContinues,
  laterPublications,
  manifestPath,
  openPublication,
  openSigned,
  type Publication,
  type Trust,
} from '../../core/publication/open-publication.js';
import { ifRefused, PublicationError } from '../../core/publication/publication-error.js';
import { type OpenPublicationFiles, openPublicationFiles } from '../../core/publication/publication-files.js';
import { openRefreshingHolder, type RefreshingHolder } from '../cache/refreshing-holder.js';
import { type FileCache, openFileCache } from './file-cache.js';

interface Published<Content> {
  record: LogRecord;
  manifest: Manifest;
  content: Content;
  /** Throws a PublicationError. */
  read(file: ManifestFile): Promise<Buffer>;
}

export interface PublicationHolder<Content>
  extends Omit<RefreshingHolder<Published<Content>>, 'fallBack' | 'isStale'> {
  /** Resolves when the first attempt to read a publication ends, or the holder is closed. */
  tried(): Promise<void>;
  /** Why no newer publication can be read, or that this one has expired; undefined if all is well. */
  fault(): string | undefined;
}

interface Options<Content> {
  location: string;
  proxies: Proxies;
  /** One of the public keys must have signed the publication. */
  keys: readonly VerifierKey[];
  folder: string;
  pollMs: number;
  clock: Clock;
  log: Logger;
  /** May reuse parts of `current`. `isKept`: these files gave the same content before. Throws a PublicationError. */
  make(
    published: Omit<Published<Content>, 'content'>,
    from: { current?: Published<Content> | undefined; isKept: boolean },
  ): Promise<Content>;
}

/** While there is nothing to serve. */
const RETRY_MS = 2_000;
/** Spreads the polls of edges that started together. */
const JITTER = 0.2;
/** The kept files: the newest checkpoint ever verified, and the signed one of the publication that is served. */
const [REMEMBERED, SERVED] = ['checkpoint', 'served-checkpoint'];

/** A newer publication is verified, made and stored before it is served. It must continue the log verified last. */
export function followPublication<Content>(options: Options<Content>): PublicationHolder<Content> {
  const { pollMs, clock, log } = options;
  const reader = new PublicationReader(options);
  const tried = createGate();
  let hasStarted = false;
  let fault: unknown;

  async function read(current: Published<Content> | undefined): Promise<Published<Content>> {
    const isFirst = !hasStarted;
    hasStarted = true;
    try {
      const kept = isFirst ? await reader.readKept() : undefined;
      if (kept) {
        holder.catchUp().catch((error: unknown) => log.warn({ err: error }, 'serving cached rates'));
        return kept;
      }
      const newest = (await reader.readNewer(current)) ?? current;
      if (!newest) throw new PublicationError('missing', 'nothing is published');
      fault = undefined;
      return newest;
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      tried.open();
    }
  }

  const poll = () => pollMs * (1 + JITTER * (Math.random() - 0.5));
  const holder: RefreshingHolder<Published<Content>> = openRefreshingHolder({
    what: 'the published rates',
    log,
    read,
    pollMs: poll,
    retryMs: () => (holder.current() ? poll() : Math.min(pollMs, RETRY_MS)),
  });
  return {
    ...holder,
    tried: () => tried.opened,
    fault: () => faultOf(fault, holder.current()?.record.expires, clock()),
    async close() {
      tried.open();
      await holder.close();
      await reader.close();
    },
  };
}

function faultOf(error: unknown, expires: string | undefined, now: Date): string | undefined {
  if (error !== undefined)
    return error instanceof PublicationError ? error.message : 'it cannot be read: see the log';
  return expires !== undefined && new Date(expires) < now
    ? `expired: signed until ${expires}, and nothing newer since`
    : undefined;
}

class PublicationReader<Content> {
  readonly #origin: OpenPublicationFiles;
  readonly #files: FileCache;
  #etag: string | undefined;

  constructor(readonly options: Options<Content>) {
    const { location, proxies, folder, log } = options;
    this.#origin = openPublicationFiles(location, { proxies });
    this.#files = openFileCache(folder, { origin: this.#origin, log });
  }

  /** The publication may have expired since it was served. */
  async readKept(): Promise<Published<Content> | undefined> {
    const { keys, clock, folder, log, make } = this.options;
    const kept = openFileCache(folder, { origin: openPublicationFiles(folder), log });
    try {
      const trust = { keys, now: clock(), mayBeExpired: true };
      const { record, manifest } = await openPublication(kept, trust, SERVED);
      const content = await make({ record, manifest, read: kept.readListed }, { isKept: true });
      // Files of single providers are only kept once they were read.
      return { record, manifest, content, read: (file) => this.#files.readListed(file) };
    } catch (error) {
      if (!(error instanceof PublicationError)) throw error;
      if (error.fault !== 'missing') log.warn({ err: error }, 'the kept publication cannot be used');
      return undefined;
    }
  }

  /** Undefined if there is nothing newer. */
  async readNewer(current: Published<Content> | undefined): Promise<Published<Content> | undefined> {
    const { keys, clock } = this.options;
    const limit = { most: MOST_CHECKPOINT_BYTES, etag: this.#etag };
    const checkpoint = await this.#origin.readChanged(CHECKPOINT, limit);
    if (!checkpoint) return undefined;
    const trust = { keys, now: clock() };
    const newest = await openSigned(this.#files, checkpoint.bytes.toString(), trust);
    const taken = await this.#take(newest, { current, refused: [] }).catch(async (fault: unknown) => {
      const later = fault instanceof PublicationError && (await this.#takeLater(newest, trust, current));
      if (!later) throw fault;
      return later;
    });
    this.#etag = checkpoint.etag;
    return taken;
  }

  /** Files of publications after a refused one may already have replaced some of its files. */
  async #takeLater(
    newest: Publication,
    trust: Trust,
    current: Published<Content> | undefined,
  ): Promise<Published<Content> | undefined> {
    const refused = [newest];
    for (const later of await laterPublications(this.#files, newest, trust)) {
      const taken = await this.#take(later, { current, refused }).catch(ifRefused);
      if (taken) return taken;
      refused.push(later);
    }
    return undefined;
  }

  /** A killed publisher may leave none complete: unreadable files are then read as listed in the `refused` ones. */
  async #take(
    publication: Publication,
    { current, refused }: { current: Published<Content> | undefined; refused: readonly Publication[] },
  ): Promise<Published<Content>> {
    const { folder, keys, clock, log, make } = this.options;
    const { record, lines, manifest, note, checkpoint } = publication;
    const remembered = await readCheckpoint(folder, keys);
    if (remembered) await checkContinues(this.#files, publication, remembered, clock());
    await this.#files.keep(REMEMBERED, checkpointText(checkpoint));
    const opened = { record, manifest, read: (file: ManifestFile) => this.#read(file, refused) };
    const content = await make(opened, { current, isKept: false });
    // Earlier lines are included, so that the publication stored last can be opened until this one replaces it.
    const ofYear = lines.filter((line) => logPath(line.record) === logPath(record));
    await this.#files.keep(logPath(record), linesText(ofYear));
    await this.#files.keep(SERVED, note);
    const names = [REMEMBERED, SERVED, logPath(record), manifestPath(record.manifest)];
    await this.#files.keepOnly(manifest.files, names);
    if (current?.record.manifest !== record.manifest)
      log.info({ version: record.version, instant: record.instant }, 'publication read');
    return { ...opened, content };
  }

  /** Reads a file as listed, or else as in another publication. */
  async #read(file: ManifestFile, others: readonly Publication[]): Promise<Buffer> {
    try {
      return await this.#files.readListed(file);
    } catch (fault) {
      for (const other of others.flatMap(({ manifest }) => manifest.files)) {
        const bytes = other.path === file.path && (await this.#files.readListed(other).catch(ifRefused));
        if (bytes) return bytes;
      }
      throw fault;
    }
  }

  close(): Promise<void> {
    return this.#origin.close();
  }
}

async function readCheckpoint(folder: string, keys: readonly VerifierKey[]): Promise<Checkpoint | undefined> {
  const text = await readFile(join(folder, REMEMBERED), 'utf8').catch(() => undefined);
  const checkpoint = text === undefined ? undefined : parseCheckpoint(text);
  return keys.some(({ origin }) => origin === checkpoint?.origin) ? checkpoint : undefined;
}
