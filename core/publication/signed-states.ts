import type { Columns } from '../columns/columns.js';
import { laterPublications, type Publication, type Trust } from './open-publication.js';
import { ifRefused, PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';
import { readBlended } from './verify-tables.js';

export type States = ReturnType<typeof createStates>;

/** Later states are only read when a file does not match the verified one. */
export function createStates(files: PublicationFiles, current: Publication, columns: Columns, trust: Trust) {
  const blended = new Map([[current.record.manifest, Promise.resolve(columns)]]);
  const later = () => laterPublications(files, current, trust);
  return {
    /** The states after the verified one that are signed and available. */
    later,
    async anyOf(check: (state: Publication) => Promise<unknown>): Promise<void> {
      try {
        await check(current);
      } catch (fault) {
        if (!(fault instanceof PublicationError)) throw fault;
        for (const state of await later()) {
          const passes = await check(state).then(() => true, ifRefused);
          if (passes) return;
        }
        throw fault;
      }
    },
    blendedOf({ record, manifest }: Publication): Promise<Columns> {
      const read = blended.get(record.manifest) ?? readBlended(files, manifest);
      blended.set(record.manifest, read);
      return read;
    },
  };
}
