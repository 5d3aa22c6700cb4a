import type { Knowledge } from '../engine/knowledge.js';
import { instantText } from './body.js';

/** The header of a message. */
export interface Header {
  readonly id: string;
  /** An instant in UTC. */
  readonly prepared: string;
}

/**
 * The header of a message of a data version. Its ID is the version's number and its time the version's instant, so that the
 * same message has the same bytes.
 */
export function headerOf({ name, knownAt }: Pick<Knowledge, 'name' | 'knownAt'>): Header {
  // The name of a data version begins with its number.
  return { id: `V${name.split('.', 1)[0]}`, prepared: instantText(knownAt) };
}
