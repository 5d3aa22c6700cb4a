import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ifMissingFile } from '../../core/process/replace-file.js';
import { PARTIAL, STAGED } from '../../core/publication/open-publication.js';
import { listFiles, openPublicationFiles } from '../../core/publication/publication-files.js';

/** The operations that change a disk. Tests make them fail at any step. */
export interface Disk {
  /** Writes a new file and flushes it to disk. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export const disk: Disk = {
  write: (path, bytes) => writeFile(path, bytes, { flush: true }),
  rename,
  remove: (path) => rm(path, { recursive: true, force: true }),
};

export type Folder = ReturnType<typeof openFolder>;

/** Opens the folder of a publication to read and write. Paths are relative, as in the publication. */
export function openFolder(path: string, { write, rename: move, remove }: Disk = disk) {
  const written = { files: 0, bytes: 0 };
  const touched = new Set<string>();
  const at = (...parts: string[]) => join(path, ...parts);

  async function makeRoom(file: string): Promise<void> {
    const folder = dirname(file);
    await mkdir(folder, { recursive: true });
    for (let one = folder; !touched.has(one) && one.startsWith(path); one = dirname(one)) touched.add(one);
  }

  async function moveTo(from: string, to: string): Promise<void> {
    await makeRoom(to);
    await move(from, to);
  }

  async function stage(file: string, bytes: Uint8Array): Promise<boolean> {
    if (await isSame(at(file), bytes)) return false;
    const staged = at(STAGED, file);
    await makeRoom(staged);
    await write(staged, bytes);
    written.files++;
    written.bytes += bytes.length;
    return true;
  }

  const list = (under?: string) => listFiles(path, under);
  const sizeOf = async (file: string) => (await stat(at(file)).catch(ifMissingFile))?.size;
  return {
    path,
    read: openPublicationFiles(path).read,
    /** What was written so far, without files that were already equal. */
    written,
    /** The paths of all files, or of those below a folder, sorted. Empty if the folder does not exist. */
    list,
    /** Writes a file atomically, unless an equal one exists. */
    async put(file: string, bytes: Uint8Array) {
      if (await stage(file, bytes)) await moveTo(at(STAGED, file), at(file));
    },
    /** Stages a file for `promote`, unless an equal one is in place. Returns whether it did. */
    stage,
    /** Moves the staged files below a folder into place, including those of a publisher that was killed. */
    async promote(under: string) {
      const staged = await list(join(STAGED, under));
      await Promise.all(staged.map((file) => moveTo(at(file), at(relative(STAGED, file)))));
    },
    async discard() {
      for (const folder of [STAGED, PARTIAL]) await remove(at(folder));
    },
    rename: (from: string, to: string) => moveTo(at(from), at(to)),
    remove: (file: string) => remove(at(file)),
    /** Flushes the names of all files that were written, moved or renamed to disk. */
    async settle() {
      const folders = [...touched];
      touched.clear();
      await Promise.all(folders.map(sync));
    },
    /** Undefined if the file does not exist. */
    sizeOf,
    /** Whether a file is in place or staged. */
    has: async (file: string) =>
      (await sizeOf(file)) !== undefined || (await sizeOf(join(STAGED, file))) !== undefined,
  };
}

async function isSame(file: string, bytes: Uint8Array): Promise<boolean> {
  return (await readFile(file).catch(ifMissingFile))?.equals(bytes) ?? false;
}

/** A power failure may lose a new name in a folder until the folder itself is flushed to disk. */
async function sync(folder: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  // A folder of staged files may have been discarded.
  const handle = await open(folder, 'r').catch(ifMissingFile);
  await handle?.sync().finally(() => handle.close());
}
