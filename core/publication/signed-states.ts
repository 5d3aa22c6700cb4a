import type { Columns } from '../columns/columns.js';
import { laterPublications, type Publication, type Trust } from './open-publication.js';
import { PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readBlended } from './verify-tables.js';

/** The signed states that a file which changes in its place may be of. */
export interface States {
  /** Passes if the check passes for one of them. */
  anyOf(check: (publication: Publication) => Promise<unknown>): Promise<void>;
  /** The blended rates of one of them. */
  blendedOf(publication: Publication): Promise<Columns>;
  know(publication: Publication, blended: Columns): void;
  /** The states that have come after the one that is verified, as far as they are signed and there. */
  later(): Promise<Publication[]>;
}

/** The state that is verified, and those that are signed later while it is: they are asked for where a file is not of the first. */
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
