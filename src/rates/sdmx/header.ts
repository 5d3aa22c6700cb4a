import type { Knowledge } from '../engine/knowledge.js';
import { instantText } from './body.js';

/** What a message says of itself. */
export interface Header {
  readonly id: string;
  /** An instant in UTC. */
  readonly prepared: string;
}

/** The header of a message of a data version: its number, and its instant, so that the same message is the same bytes. */
export function headerOf({ name, knownAt }: Pick<Knowledge, 'name' | 'knownAt'>): Header {
  // The name of a data version has its number first.
  return { id: `V${name.split('.', 1)[0]}`, prepared: instantText(knownAt) };
}
