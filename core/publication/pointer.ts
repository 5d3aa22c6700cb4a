import { fromBase64 } from './base64.js';
import { HASH_BYTES } from './merkle-tree.js';
import { PublicationError } from './publication-error.js';

/** The pointer to the newest publication: its record, the record's place in the log, and the log's signed checkpoint. */
export interface Pointer {
  /** The bytes of the record. */
  record: Buffer;
  /** Its index in the log. */
  index: number;
  /** The hashes from the leaf up. */
  proof: readonly Buffer[];
  /** The signed checkpoint. */
  note: string;
}

/** The maximum size of a pointer, in bytes. */
export const MOST_POINTER_BYTES = 100_000;

const HEADER = 'c2sp.org/tlog-proof@v1';
const FORM = /^[^\n]+\nextra ([^\n]+)\nindex (\d{1,16})\n((?:[^\n]+\n)*)\n(.+)$/s;

/** Formats a C2SP tlog-proof, with the record as its extra data. */
export function encodePointer({ record, index, proof, note }: Pointer): string {
  const hashes = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
  return `${HEADER}\nextra ${record.toString('base64')}\nindex ${index}\n${hashes}\n${note}`;
}

/** Throws a PublicationError if the text does not have exactly the format of a pointer. Does not verify it. */
export function parsePointer(text: string): Pointer {
  const [, extra = '', index, lines = '', note = ''] = FORM.exec(text) ?? [];
  const record = fromBase64(extra);
  const proof = lines
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line, 'base64'));
  const pointer = record && { record, index: Number(index), proof, note };
  if (!pointer || proof.some(({ length }) => length !== HASH_BYTES) || encodePointer(pointer) !== text) {
    throw new PublicationError('proof', `the pointer is no ${HEADER} with a record`);
  }
  return pointer;
}
