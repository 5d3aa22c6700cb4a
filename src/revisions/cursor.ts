import type { Revision } from '../../core/database/revisions.js';

type Place = Pick<Revision, 'id' | 'replacedAt'>;

/** Encodes a position in the list of revisions as opaque text. */
export function writeCursor({ id, replacedAt }: Place): string {
  return Buffer.from(`${replacedAt.getTime()} ${id}`).toString('base64url');
}

/** Decodes a position; undefined for text that `writeCursor` did not create. */
export function readCursor(text: string): Place | undefined {
  const [, instant, id] = /^(\d{1,15}) (\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return instant !== undefined && id !== undefined
    ? { id, replacedAt: new Date(Number(instant)) }
    : undefined;
}
