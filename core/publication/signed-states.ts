import type { Columns } from '../columns/columns.js';
import { laterPublications, type Publication, type Trust } from './open-publication.js';
import { PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readBlended } from './verify-tables.js';

/** The signed states that a file that changes in place may belong to. */
export interface States {
  /** Passes if the check passes for any of the states. */
  anyOf(check: (publication: Publication) => Promise<unknown>): Promise<void>;
  /** The blended rates of a state. */
  blendedOf(publication: Publication): Promise<Columns>;
  know(publication: Publication, blended: Columns): void;
  /** The states after the verified one that are signed and available. */
  later(): Promise<Publication[]>;
}

/**
 * The verified state, and those signed while it is being verified. Later states are only read when a file does not match the
 * first one.
 */
export function createStates(files: PublicationFiles, current: Publication, trust: Trust): States {
  const blended = new Map<string, Promise<Columns>>();
  const later = () => laterPublications(files, current, trust);
  return {
    later,
    async anyOf(check) {
      try {
        await check(current);
      } catch (fault) {
        if (!(fault instanceof PublicationError)) throw fault;
        for (const publication of await later()) {
          if (await passes(check, publication)) return;
        }
        throw fault;
      }
    },
    blendedOf(publication) {
      const { manifest } = publication.record;
      const columns = blended.get(manifest) ?? readBlended(files, publication.manifest);
      blended.set(manifest, columns);
      return columns;
    },
    know({ record }, columns) {
      blended.set(record.manifest, Promise.resolve(columns));
    },
  };
}

async function passes(
  check: (publication: Publication) => Promise<unknown>,
  publication: Publication,
): Promise<boolean> {
  try {
    await check(publication);
    return true;
  } catch (error) {
    if (error instanceof PublicationError) return false;
    throw error;
  }
}
