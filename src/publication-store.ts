import type { VerifierKey } from '../core/publication/keys.js';
import type { ManifestFile } from '../core/publication/manifest.js';
import { PublicationError } from '../core/publication/publication-error.js';
import { readRowGroups } from '../core/publication/read-row-groups.js';
import type { TableRows } from '../core/publication/tables.js';
import type { Catalogue } from './catalogue/catalogue.js';
import { DataOutdated, HttpError, type ParameterFault } from './http/errors.js';
import { readPhrases } from './no/seed-phrases.js';
import { openProbes } from './operations/probes.js';
import type { DescribedProvider } from './publication/catalogue.js';
import type { PublicationHolder } from './publication/holder.js';
import { notPublished } from './publication/not-published.js';
import type { RefuseRequest } from './rates/engine/ask.js';
import { type Observations, openObservedRates } from './rates/published/observed-rates.js';
import type { Snapshot, WholeSnapshot } from './rates/snapshot/snapshot.js';
import type { Store } from './store.js';

/** What is made of a publication, to be served. */
export interface PublishedContent {
  snapshot: WholeSnapshot;
  catalogue: Catalogue;
  /** The providers that it describes, by key. */
  described: ReadonlyMap<string, DescribedProvider>;
}

/** Where rates come from without a database. */
export interface PublicationSource {
  publication: PublicationHolder<PublishedContent>;
  /** The URL of the publication; null where it is a folder. */
  url: string | null;
  keys: readonly VerifierKey[];
}

/** What there is without a database: the blended rates, and those of single providers. */
export function publicationStore({ publication, url, keys }: PublicationSource): Store {
  const api = () => publication.current()?.manifest.api ?? null;
  const absent = (what: string) => async (): Promise<never> => {
    throw notPublished(`${what} are not published`, { api: api() });
  };
  const past = absent('rates of the past, and what is behind them,');

  /** Throws DataOutdated where a newer publication has replaced that of the snapshot. */
  function observationsOf(snapshot: Snapshot, key: string): Observations {
    const published = publication.current();
    if (published?.content.snapshot !== snapshot) throw new DataOutdated('there is a newer publication');
    const prefix = `observations/${key}/`;
    const files = published.manifest.files.filter(({ path }) => path.startsWith(prefix));
    if (files.length === 0 && published.content.catalogue.coverage.has(key)) {
      const message = `providers: the rates of ${key} are not published, as its terms forbid copies`;
      throw notPublished(message, { api: api(), parameters: [{ parameter: 'providers', message }] });
    }
    const { provider, leftOut, sha256: description } = published.content.described.get(key) ?? {};
    return {
      name: [key, description, ...files.map(({ sha256 }) => sha256)].join(' '),
      pivot: provider?.pivot_currency ?? null,
      period: provider?.period,
      reasonOf: (pair, day) => leftOut?.get(`${pair} ${day}`),
      read: () => readObservations(files, published.read),
    };
  }

  const phrases = readPhrases();
  return {
    raw: {
      ...openObservedRates(observationsOf),
      cachedShares: () => undefined,
      newestShares: past,
      since: past,
      read: past,
      span: past,
      lastBefore: past,
      statesOf: past,
    },
    versions: { at: past },
    pastSnapshots: {
      of: past,
      newestDay: past,
      withoutDays: () => {
        throw notPublished('rates of the past are not published', { api: api() });
      },
    },
    receipts: past,
    refuseRequest: refusing(api),
    readFigures: absent('replaced figures'),
    readRevisions: absent('corrections'),
    readSuspects: absent('held-back rates'),
    activity: async () => new Map(),
    drawPhrase: async () => phrases[Math.floor(Math.random() * phrases.length)],
    findPublication: async () => {
      const published = publication.current();
      if (!published) return undefined;
      const { origin } = published.manifest;
      const own = keys.filter((key) => key.origin === origin);
      return { url, origin, keys: own.map(({ text }) => text) };
    },
    probes: openProbes({}),
    following() {
      const { version = null, expires = null } = publication.current()?.record ?? {};
      return { version, expires, fault: publication.fault() ?? null };
    },
    servers: {},
    admin: { routes: [], mounts: [] },
  };
}

/** Of details that rows have, those that are made of the rows of all providers. */
const BEHIND = new Set(['providers', 'quality']);

/** Refuses what needs more than the blended rates, or those of one provider; it names the parameters. */
function refusing(api: () => string | null): RefuseRequest {
  return ({ providers = [], expand, receipt, asOf, updatedAfter }) => {
    const faults: ParameterFault[] = [];
    const fault = (parameter: string, what: string) =>
      faults.push({ parameter, message: `${parameter}: ${what} can't be answered from a publication` });
    if (providers.length > 1) fault('providers', 'the blend of some providers');
    for (const detail of [...expand.filter((one) => BEHIND.has(one)), ...(receipt ? ['receipt'] : [])])
      fault('expand', detail);
    if (asOf !== undefined) fault('as_of', 'an instant in the past');
    if (updatedAfter) fault('updated_after', 'what has changed since');
    if (faults.length === 0) return;
    const message = faults.map(({ message }) => message).join('; ');
    throw notPublished(message, { api: api(), parameters: faults });
  };
}

/** The rows of some files. Throws an HttpError 503 where they can't be read. */
async function* readObservations(
  files: readonly ManifestFile[],
  read: (file: ManifestFile) => Promise<Buffer>,
): AsyncGenerator<TableRows<'observations'>> {
  try {
    const contents = await Promise.all(files.map(async (file) => ({ ...file, content: await read(file) })));
    for (const { content, path, rows } of contents)
      yield* readRowGroups('observations', content, { path, most: rows });
  } catch (error) {
    if (!(error instanceof PublicationError)) throw error;
    throw new HttpError(
      503,
      'the rates of this provider can not be read; rates of all providers together are still served',
      { headers: { 'retry-after': '5' }, cause: error },
    );
  }
}
