import type { Revision } from '../../core/database/revisions.js';

type Place = Pick<Revision, 'id' | 'replacedAt'>;

/** A place in the list of revisions, as opaque text. */
export function writeCursor({ id, replacedAt }: Place): string {
  return Buffer.from(`${replacedAt.getTime()} ${id}`).toString('base64url');
}

/** Undefined for text that `writeCursor` did not write. */
export function readCursor(text: string): Place | undefined {
  const [, instant, id] = /^(\d{1,15}) (\d{1,18})$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return instant !== undefined && id !== undefined
    ? { id, replacedAt: new Date(Number(instant)) }
    : undefined;
}
