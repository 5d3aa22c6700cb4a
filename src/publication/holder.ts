import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Clock } from '../../core/domain/clock.js';
import { type Checkpoint, checkpointText, parseCheckpoint } from '../../core/publication/checkpoint.js';
import type { VerifierKey } from '../../core/publication/keys.js';
import type { LogRecord } from '../../core/publication/log-record.js';
import type { Manifest, ManifestFile } from '../../core/publication/manifest.js';
import {
  checkContinues,
  laterPublications,
  manifestPath,
  openPointer,
  openPublication,
  POINTER,
  type Publication,
} from '../../core/publication/open-publication.js';
import { MOST_POINTER_BYTES } from '../../core/publication/pointer.js';
import { PublicationError } from '../../core/publication/publication-error.js';
import { openPublicationFiles } from '../../core/publication/publication-files.js';
import { openRefreshingHolder, type RefreshingHolder } from '../cache/refreshing-holder.js';
import { type KeptFiles, openKeptFiles } from './kept-files.js';

/** A publication that was verified. */
interface Published<Content> {
  record: LogRecord;
  manifest: Manifest;
  content: Content;
  /** Reads a file of its manifest. Throws a PublicationError. */
  read(file: ManifestFile): Promise<Buffer>;
}

/** Keeps the newest publication that verifies, in memory and in a folder. */
export interface PublicationHolder<Content>
  extends Omit<RefreshingHolder<Published<Content>>, 'fallBack' | 'isStale'> {
  /** Resolves when it was tried to read a first one, or the holder is closed. */
  tried(): Promise<void>;
  /** Why no newer one can be had, or that this one has expired; undefined where all is well. */
  fault(): string | undefined;
}

interface Options<Content> {
  /** A URL or a folder. */
  location: string;
  /** The public keys, one of which must have signed. */
  keys: readonly VerifierKey[];
  /** Where files are kept on this machine. */
  folder: string;
  /** How often it is looked for a newer one, about. */
  pollMs: number;
  clock: Clock;
  log: Logger;
  /**
   * Makes what is served from a publication, and from the one that is served now. One that is kept was made from the same files
   * before, by their hashes. Throws a PublicationError.
   */
  make(
    published: Omit<Published<Content>, 'content'>,
    from: { current?: Published<Content> | undefined; isKept: boolean },
  ): Promise<Content>;
}

/** While there is nothing to serve. */
const RETRY_MS = 2_000;
/** Edges that start together do not ask together for long. */
const JITTER = 0.2;
const CHECKPOINT = 'checkpoint';

/**
 * Starts from what is kept, and then follows the publication until closed: what is newer is verified, made and kept before
 * it replaces what is served. A log that does not continue the newest one that was ever verified is refused.
 */
export function followPublication<Content>(options: Options<Content>): PublicationHolder<Content> {
  const { location, keys, folder, pollMs, clock, log, make } = options;
  const origin = openPublicationFiles(location);
  const files = openKeptFiles(folder, { origin, log });
  let hasStarted = false;
  let etag: string | undefined;
  let fault: unknown;
  let settleTried = () => {};
  const tried = new Promise<void>((resolve) => {
    settleTried = resolve;
  });

  async function published(
    read: KeptFiles['readListed'],
    { record, manifest }: Pick<Published<Content>, 'record' | 'manifest'>,
    from: Parameters<typeof make>[1],
  ): Promise<Published<Content>> {
    const opened = { record, manifest, read };
    return { ...opened, content: await make(opened, from) };
  }

  /** The publication that was served last, as it is kept. It may have expired by now. */
  async function readKept(): Promise<Published<Content> | undefined> {
    const kept = openKeptFiles(folder, { origin: openPublicationFiles(folder), log });
    try {
      const publication = await openPublication(kept, { keys, now: new Date(0) });
      return await published(kept.readListed, publication, { isKept: true });
    } catch (error) {
      if (!(error instanceof PublicationError)) throw error;
      if (error.fault !== 'missing') log.warn({ err: error }, 'the kept publication cannot be used');
      return undefined;
    }
  }

  /** Undefined where there is nothing newer. */
  async function readNewer(current: Published<Content> | undefined): Promise<Published<Content> | undefined> {
    const pointer = await origin.readChanged(POINTER, { most: MOST_POINTER_BYTES, etag });
    if (!pointer) return undefined;
    const remembered = await readCheckpoint(folder, keys);
    const refused: Publication[] = [];
    let fault: PublicationError | undefined;
    for await (const publication of namedBy(pointer.bytes)) {
      try {
        if (remembered) await checkContinues(files, remembered, publication.checkpoint);
        const newest = await take(publication, { current, refused });
        etag = pointer.etag;
        return newest;
      } catch (error) {
        if (!(error instanceof PublicationError)) throw error;
        fault ??= error;
        refused.push(publication);
      }
    }
    throw fault;
  }

  /** That of a pointer; then those that replace it meanwhile, of which a file that changes in its place may be already. */
  async function* namedBy(pointer: Buffer): AsyncGenerator<Publication> {
    const trust = { keys, now: clock() };
    const publication = await openPointer(files, pointer, trust);
    yield publication;
    yield* await laterPublications(files, publication, trust);
  }

  /** The first that can be read. */
  async function readOneOf([file, ...others]: [ManifestFile, ...ManifestFile[]]): Promise<Buffer> {
    try {
      return await files.readListed(file);
    } catch (error) {
      const [other, ...rest] = others;
      if (!(error instanceof PublicationError) || !other) throw error;
      return readOneOf([other, ...rest]);
    }
  }

  /** A publisher that is killed may have replaced some files and not others: then no publication is whole. */
  async function take(
    publication: Publication,
    { current, refused }: { current: Published<Content> | undefined; refused: readonly Publication[] },
  ): Promise<Published<Content>> {
    const { record, manifest, pointer } = publication;
    await files.keep(CHECKPOINT, Buffer.from(checkpointText(publication.checkpoint)));
    const read = (file: ManifestFile) => readOneOf([file, ...sameOf(file, refused)]);
    const newest = await published(read, publication, { current, isKept: false });
    await files.keep(POINTER, pointer);
    await files.keepOnly(manifest.files, [CHECKPOINT, POINTER, manifestPath(record.manifest)]);
    if (current?.record.manifest !== record.manifest)
      log.info({ version: record.version, instant: record.instant }, 'publication read');
    return newest;
  }

  async function read(current: Published<Content> | undefined): Promise<Published<Content>> {
    const isFirst = !hasStarted;
    hasStarted = true;
    try {
      const kept = isFirst ? await readKept() : undefined;
      if (kept) {
        setImmediate(lookAgain);
        return kept;
      }
      const newest = (await readNewer(current)) ?? current;
      if (!newest) throw new PublicationError('missing', 'nothing is published');
      fault = undefined;
      return newest;
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      settleTried();
    }
  }

  function lookAgain(): void {
    holder.catchUp().catch((error: unknown) => log.warn({ err: error }, 'the kept rates are served'));
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
    tried: () => tried,
    fault() {
      if (fault !== undefined)
        return fault instanceof PublicationError ? fault.message : 'it cannot be read: see the log';
      const expires = holder.current()?.record.expires;
      return expires !== undefined && new Date(expires) < clock()
        ? `expired: signed until ${expires}, and nothing newer since`
        : undefined;
    },
    async close() {
      settleTried();
      await holder.close();
      await origin.close();
    },
  };
}

/** A file that changes in its place, as other publications have it. */
function sameOf({ path, sha256 }: ManifestFile, others: readonly Publication[]): ManifestFile[] {
  return others.flatMap(({ manifest }) =>
    manifest.files.filter((file) => file.path === path && file.sha256 !== sha256),
  );
}

/** The newest checkpoint of the log of these keys that was verified on this machine. */
async function readCheckpoint(folder: string, keys: readonly VerifierKey[]): Promise<Checkpoint | undefined> {
  const text = await readFile(join(folder, CHECKPOINT), 'utf8').catch(() => undefined);
  const checkpoint = text === undefined ? undefined : parseCheckpoint(text);
  return keys.some(({ origin }) => origin === checkpoint?.origin) ? checkpoint : undefined;
}
