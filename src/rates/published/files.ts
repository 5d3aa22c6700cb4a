import type { ManifestFile } from '../../../core/publication/open-publication.js';
import { readRowGroups } from '../../../core/publication/read-tables.js';
import type { TableName, TableRows } from '../../../core/publication/tables.js';

/** A file of a publication, as plain data for a thread. */
export interface PublishedFile {
  path: string;
  /** The most rows that it may have. */
  rows: number;
  content: Uint8Array;
}

export function readAll(
  files: readonly ManifestFile[],
  read: (file: ManifestFile) => Promise<Buffer>,
): Promise<PublishedFile[]> {
  return Promise.all(
    files.map(async (file) => ({ path: file.path, rows: file.rows, content: await read(file) })),
  );
}

/** Generates the rows of a table's files, one row group at a time. Throws a PublicationError. */
export async function* rowGroupsOf<Name extends TableName, Column extends keyof TableRows<Name> & string>(
  name: Name,
  files: readonly PublishedFile[],
  columns?: readonly Column[],
): AsyncGenerator<Pick<TableRows<Name>, Column>> {
  for (const { path, rows, content } of files) {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    yield* readRowGroups(name, bytes, { path, most: rows, columns });
  }
}
