import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createGate } from '../../core/concurrency/gate.js';
import type { Clock } from '../../core/domain/dates.js';
import type { Proxies } from '../../core/http-client/proxies.js';
import { replaceFile } from '../../core/process/replace-file.js';
import type { VerifierKey } from '../../core/publication/keys.js';
import {
  type Checkpoint,
  checkpointText,
  type LogRecord,
  linesText,
  logPath,
  MOST_CHECKPOINT_BYTES,
  parseCheckpoint,
} from '../../core/publication/log.js';
import {
  CHECKPOINT,
  hashInPath,
  laterPublications,
  type Manifest,
  type ManifestFile,
  manifestPath,
  openPublication,
  type Publication,
  readExpected,
  type Trust,
} from '../../core/publication/open-publication.js';
import { ifRefused, PublicationError } from '../../core/publication/publication-error.js';
import {
  listFiles,
  type OpenPublicationFiles,
  openPublicationFiles,
} from '../../core/publication/publication-files.js';
import { openRefreshingHolder, type RefreshingHolder } from '../cache/refreshing-holder.js';

interface Published<Content> {
  record: LogRecord;
  manifest: Manifest;
  content: Content;
  /** Throws a PublicationError. */
  read(file: ManifestFile): Promise<Buffer>;
}

export interface PublicationHolder<Content> extends Omit<RefreshingHolder<Published<Content>>, 'fallBack'> {
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
  readonly #kept: OpenPublicationFiles;
  #etag: string | undefined;

  constructor(readonly options: Options<Content>) {
    const { location, proxies, folder } = options;
    this.#origin = openPublicationFiles(location, { proxies });
    this.#kept = openPublicationFiles(folder);
  }

  /** The publication may have expired since it was served. */
  async readKept(): Promise<Published<Content> | undefined> {
    const { keys, clock, log } = this.options;
    try {
      const trust = { keys, now: clock(), mayBeExpired: true };
      const kept = await openPublication(this.#kept, trust, { path: SERVED });
      return await this.#make(kept, trust, { isKept: true });
    } catch (error) {
      if (!(error instanceof PublicationError)) throw error;
      if (error.fault !== 'missing') log.warn({ err: error }, 'the kept publication cannot be used');
      return undefined;
    }
  }

  /** Undefined if there is nothing newer. */
  async readNewer(current: Published<Content> | undefined): Promise<Published<Content> | undefined> {
    const { folder, keys, clock, log } = this.options;
    const limit = { most: MOST_CHECKPOINT_BYTES, etag: this.#etag };
    const read = await this.#origin.readChanged(CHECKPOINT, limit);
    if (!read) return undefined;
    const trust = { keys, remembered: await readCheckpoint(folder, keys), now: clock() };
    const publication = await openPublication(this.#origin, trust, { read: read.bytes.toString() });
    await this.#keep(REMEMBERED, checkpointText(publication.checkpoint));
    const published = await this.#make(publication, trust, { current, isKept: false });
    await this.#keepServed(publication);
    const { record } = publication;
    if (current?.record.manifest !== record.manifest)
      log.info({ version: record.version, instant: record.instant }, 'publication read');
    this.#etag = read.etag;
    return published;
  }

  async #make(
    publication: Publication,
    trust: Trust,
    from: Parameters<Options<Content>['make']>[1],
  ): Promise<Published<Content>> {
    const { record, manifest } = publication;
    const opened = { record, manifest, read: (file: ManifestFile) => this.#read(file, publication, trust) };
    return { ...opened, content: await this.options.make(opened, from) };
  }

  /** A file that changes in place may already be that of a publication that is still being written. */
  async #read(file: ManifestFile, publication: Publication, trust: Trust): Promise<Buffer> {
    try {
      return await this.#readListed(file);
    } catch (fault) {
      if (!(fault instanceof PublicationError) || hashInPath(file.path) !== undefined) throw fault;
      for (const { manifest } of await laterPublications(this.#origin, publication, trust)) {
        const other = manifest.files.find(({ path }) => path === file.path);
        const bytes = other && (await this.#readListed(other).catch(ifRefused));
        if (bytes) return bytes;
      }
      throw fault;
    }
  }

  /** The kept file, or that of the origin, which is then kept. */
  async #readListed(file: ManifestFile): Promise<Buffer> {
    const path = nameOf(file);
    const kept = await readExpected(this.#kept, { ...file, path }).catch(ifRefused);
    if (kept) return kept;
    const bytes = await readExpected(this.#origin, file);
    await this.#keep(path, bytes);
    return bytes;
  }

  /** If the folder can't be written, logs the error, and files are read from the origin each time. */
  async #keep(name: string, content: string | Buffer): Promise<void> {
    const path = join(this.options.folder, name);
    try {
      await replaceFile(path, content);
    } catch (error) {
      this.options.log.warn({ err: error, path }, 'a file of the publication cannot be kept');
    }
  }

  /** Keeps what opens a publication whose files are kept already, and removes what only earlier ones need. */
  async #keepServed({ record, lines, manifest, manifestBytes, note }: Publication): Promise<void> {
    const { folder, log } = this.options;
    const [path, logFile] = [manifestPath(record.manifest), logPath(record)];
    await this.#keep(path, manifestBytes);
    // Earlier lines are included, so that the publication stored last can be opened until this one replaces it.
    const ofYear = lines.filter((line) => logPath(line.record) === logFile);
    await this.#keep(logFile, linesText(ofYear));
    await this.#keep(SERVED, note);
    const kept = new Set([...manifest.files.map(nameOf), REMEMBERED, SERVED, logFile, path]);
    try {
      for (const name of await listFiles(folder))
        if (!kept.has(name)) await rm(join(folder, name), { force: true });
    } catch (error) {
      log.warn({ err: error, folder }, 'files of earlier publications cannot be removed');
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

/** A file that is replaced at its path is stored under its hash, so that all files of a publication change at once. */
function nameOf({ path, sha256 }: ManifestFile): string {
  return hashInPath(path) ? path : `${sha256}.json`;
}
