import { MOST_RECORD_BYTES } from './log-record.js';
import { HASH_BYTES, leafHash, nodeHash, type ReadHash, rootOf } from './merkle-tree.js';
import { PublicationError } from './publication-error.js';
import type { PublicationFiles } from './publication-files.js';

/** The number of hashes in a full tile, which covers eight levels of the tree (C2SP tlog-tiles). */
const WIDTH = 256;
const LEVELS = 8;
const LENGTH_BYTES = 2;

/** A tile with its level, its index there and its number of hashes; or the entries below a tile of level 0. */
interface Tile {
  level: number | 'entries';
  index: number;
  /** 1 to 256. A smaller width than 256 means a partial tile. */
  width: number;
}

/** The path of a tile, such as `tile/0/x001/x234/067` or `tile/entries/000.p/2`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const elements = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group));
  return `tile/${level}/${elements.join('/')}${width < WIDTH ? `.p/${width}` : ''}`;
}

/** The partial tiles of a log of this size, including the newest entries. They are replaced as the log grows. */
export function partialTiles(size: number): string[] {
  const paths: string[] = [];
  for (let [level, count] = [0, size]; count > 0; [level, count] = [level + 1, Math.floor(count / WIDTH)]) {
    const [index, width] = [Math.floor(count / WIDTH), count % WIDTH];
    if (width === 0) continue;
    if (level === 0) paths.push(tilePath({ level: 'entries', index, width }));
    paths.push(tilePath({ level, index, width }));
  }
  return paths;
}

/** The hashes of a log of this size, from its tiles. Each tile is read once. */
export function hashesOf(files: PublicationFiles, size: number): ReadHash {
  const tiles = new Map<string, Promise<Buffer>>();
  const readTile = (tile: Tile) => {
    const path = tilePath(tile);
    const read = tiles.get(path) ?? readHashes(files, tile);
    tiles.set(path, read);
    return read;
  };
  return async (level, index) => {
    const [tileLevel, height] = [Math.floor(level / LEVELS), level % LEVELS];
    const first = index * 2 ** height;
    const tileIndex = Math.floor(first / WIDTH);
    const width = Math.min(WIDTH, Math.floor(size / WIDTH ** tileLevel) - tileIndex * WIDTH);
    const hashes = await readTile({ level: tileLevel, index: tileIndex, width });
    return subtreeHash(hashes, first % WIDTH, 2 ** height);
  };
}

/** The state of a log after appending a record. */
export interface AppendedLog {
  size: number;
  root: Buffer;
  /** The files to write, by path: tiles and entries. None of them existed before. */
  written: ReadonlyMap<string, Buffer>;
}

/** Appends a record to a log of this size. Reads only the tiles at its end. */
export async function appendRecord(
  files: PublicationFiles,
  size: number,
  record: Buffer,
): Promise<AppendedLog> {
  const written = new Map<string, Buffer>();
  const [bundle, width] = [Math.floor(size / WIDTH), size % WIDTH];
  const entries = width === 0 ? [] : await readBundle(files, bundle, width);
  written.set(
    tilePath({ level: 'entries', index: bundle, width: width + 1 }),
    bundleBytes([...entries, record]),
  );
  let hash = leafHash(record);
  for (let [level, index] = [0, size]; ; level++, index = Math.floor(index / WIDTH)) {
    const [tile, before] = [Math.floor(index / WIDTH), index % WIDTH];
    const hashes = before === 0 ? [] : [await readHashes(files, { level, index: tile, width: before })];
    const grown = Buffer.concat([...hashes, hash]);
    written.set(tilePath({ level, index: tile, width: before + 1 }), grown);
    if (before + 1 < WIDTH) break;
    hash = subtreeHash(grown, 0, WIDTH);
  }
  const grown = size + 1;
  const root = await rootOf(grown, hashesOf(withFiles(files, written), grown));
  return { size: grown, root, written };
}

/** The files, overlaid with others that are not yet written. */
function withFiles(files: PublicationFiles, written: ReadonlyMap<string, Buffer>): PublicationFiles {
  return { read: async (path, limit) => written.get(path) ?? files.read(path, limit) };
}

/**
 * The records with an index from `from` up to but not including `size`, in order. Throws a PublicationError if entries are
 * damaged.
 */
export async function* readRecords(
  files: PublicationFiles,
  from: number,
  size: number,
): AsyncGenerator<Buffer> {
  for (let index = Math.floor(from / WIDTH); index * WIDTH < size; index++) {
    const first = index * WIDTH;
    const entries = await readBundle(files, index, Math.min(WIDTH, size - first));
    yield* entries.slice(Math.max(0, from - first));
  }
}

/**
 * Verifies the whole log: its entries must give its tiles, and its tiles the root. Throws a PublicationError that names the
 * first file that does not match.
 */
export async function verifyLog(
  files: PublicationFiles,
  { size, root }: { size: number; root: Buffer },
): Promise<void> {
  const levels: Buffer[][] = [];
  const filled: number[] = [];
  const check = async (level: number) => {
    const hashes = levels[level] ?? [];
    const tile = { level, index: filled[level] ?? 0, width: hashes.length };
    if (!(await readHashes(files, tile)).equals(Buffer.concat(hashes))) {
      throw new PublicationError('log', 'does not have the hashes of the records', { path: tilePath(tile) });
    }
  };
  const add = async (level: number, hash: Buffer) => {
    const hashes = levels[level] ?? [];
    levels[level] = hashes;
    hashes.push(hash);
    if (hashes.length < WIDTH) return;
    await check(level);
    levels[level] = [];
    filled[level] = (filled[level] ?? 0) + 1;
    await add(level + 1, subtreeHash(Buffer.concat(hashes), 0, WIDTH));
  };
  for await (const record of readRecords(files, 0, size)) {
    await add(0, leafHash(record));
  }
  for (const [level, hashes] of levels.entries()) if (hashes.length > 0) await check(level);
  if (!(await rootOf(size, hashesOf(files, size))).equals(root)) {
    throw new PublicationError('log', 'the tiles do not make the root that is signed');
  }
}

const TILE = /^tile\/(entries|\d+)\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d+))?$/;

/** The tile at a path; undefined if the path is not that of a tile. */
function tileAt(path: string): Tile | undefined {
  const [, name, digits = '', width = WIDTH] = TILE.exec(path) ?? [];
  if (name === undefined) return undefined;
  const level = name === 'entries' ? 'entries' : Number(name);
  const tile: Tile = { level, index: Number(digits.replace(/\D/g, '')), width: Number(width) };
  return tile.width > 0 && tilePath(tile) === path ? tile : undefined;
}

/** The number of records a log needs before its tiles include this one; undefined if the path is not that of a tile. */
export function recordsOfTile(path: string): number | undefined {
  const tile = tileAt(path);
  return tile && (tile.index * WIDTH + tile.width) * recordsOf(tile);
}

/** The number of records that each hash, or entry, of a tile covers. */
function recordsOf({ level }: Pick<Tile, 'level'>): number {
  return level === 'entries' ? 1 : WIDTH ** level;
}

/**
 * Verifies a file if it is a partial tile: it must be a prefix of the tile that has replaced it in a log of this size.
 * Records beyond that size were never signed, so only their number is checked. Throws a PublicationError `log`.
 */
export async function verifyPartialTile(files: PublicationFiles, path: string, size: number): Promise<void> {
  const tile = tileAt(path);
  if (!tile || tile.width === WIDTH) return;
  const { level, index, width } = tile;
  const bytesOf = async (count: number): Promise<Buffer> =>
    level === 'entries'
      ? bundleBytes(await readBundle(files, index, count))
      : readHashes(files, { level, index, width: count });
  const all = Math.floor(size / recordsOf(tile));
  const [partial, replacing] = [
    await bytesOf(width),
    all > index * WIDTH ? await bytesOf(Math.min(WIDTH, all - index * WIDTH)) : Buffer.alloc(0),
  ];
  const length = Math.min(partial.length, replacing.length);
  if (!partial.subarray(0, length).equals(replacing.subarray(0, length)))
    throw new PublicationError('log', 'does not begin as the tile that replaced it', { path });
}

/** The concatenated hashes of a tile. */
async function readHashes(files: PublicationFiles, tile: Tile): Promise<Buffer> {
  const { bytes, width, path } = await readTile(files, tile, HASH_BYTES);
  if (bytes.length !== width * HASH_BYTES) throw new PublicationError('log', 'is cut short', { path });
  return bytes.subarray(0, tile.width * HASH_BYTES);
}

async function readBundle(files: PublicationFiles, index: number, entriesWidth: number): Promise<Buffer[]> {
  const tile = { level: 'entries', index, width: entriesWidth } as const;
  const { bytes, width, path } = await readTile(files, tile, LENGTH_BYTES + MOST_RECORD_BYTES);
  const entries: Buffer[] = [];
  let offset = 0;
  while (offset + LENGTH_BYTES <= bytes.length) {
    const start = offset + LENGTH_BYTES;
    offset = start + bytes.readUInt16BE(offset);
    entries.push(bytes.subarray(start, offset));
  }
  if (offset !== bytes.length || entries.length !== width) {
    throw new PublicationError('log', `does not have ${width} records`, { path });
  }
  return entries.slice(0, entriesWidth);
}

/**
 * A tile's file and its width. Falls back to the full tile if a partial one is missing, as it may be deleted once the full
 * one exists.
 */
async function readTile(
  files: PublicationFiles,
  tile: Tile,
  mostBytesOfOne: number,
): Promise<{ bytes: Buffer; width: number; path: string }> {
  const read = async ({ width, ...place }: Tile) => {
    const path = tilePath({ ...place, width });
    return { bytes: await files.read(path, { most: width * mostBytesOfOne }), width, path };
  };
  try {
    return await read(tile);
  } catch (error) {
    if (tile.width === WIDTH || !(error instanceof PublicationError) || error.fault !== 'missing')
      throw error;
    return await read({ ...tile, width: WIDTH }).catch(() => {
      throw error;
    });
  }
}

function bundleBytes(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

/** The hash of a complete subtree over `count` hashes of a tile. `count` is a power of two. */
function subtreeHash(hashes: Buffer, first: number, count: number): Buffer {
  if (count === 1) return hashes.subarray(first * HASH_BYTES, (first + 1) * HASH_BYTES);
  const middle = count / 2;
  return nodeHash(subtreeHash(hashes, first, middle), subtreeHash(hashes, first + middle, middle));
}
