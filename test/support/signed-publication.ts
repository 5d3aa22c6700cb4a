import { hash } from 'node:crypto';
import { checkpointText } from '../../core/publication/checkpoint.js';
import { makeSigningKey, type SigningKey } from '../../core/publication/keys.js';
import { makeRecord, recordBytes } from '../../core/publication/log-record.js';
import { appendRecord, hashesOf } from '../../core/publication/log-tiles.js';
import { type Manifest, manifestBytes } from '../../core/publication/manifest.js';
import { inclusionProof } from '../../core/publication/merkle-tree.js';
import { encodePointer } from '../../core/publication/pointer.js';
import { signNote } from '../../core/publication/signed-note.js';
import { memoryFiles } from './memory-files.js';

export const KEY = makeSigningKey('rates.example.org/almanac', Buffer.alloc(32, 7));

const NO_ROWS = { rows: 0, sha256: hash('sha256', '', 'hex') };

/** A manifest of a publication without rates. */
export function emptyManifest(version: number, changes: Partial<Manifest> = {}): Manifest {
  return {
    format: 'almanac-publication/1',
    origin: KEY.origin,
    api: null,
    data: { instant: '2026-03-17T15:59:00.000Z', version },
    digest: { day: NO_ROWS, week: NO_ROWS, month: NO_ROWS },
    files: [],
    method: 2,
    previous: null,
    software: 'almanac',
    ...changes,
  };
}

/**
 * Signs a manifest as the next record of the log that has so many, and writes manifest, tiles, checkpoint and pointer.
 * Returns the signed checkpoint.
 */
export async function signManifest(
  files: Map<string, Buffer>,
  content: Manifest,
  {
    size,
    now,
    keys = [KEY],
    pointerPath = 'latest.tlog-proof',
  }: { size: number; now: string; keys?: readonly SigningKey[]; pointerPath?: string },
): Promise<string> {
  const store = memoryFiles(files);
  const bytes = manifestBytes(content);
  const manifest = hash('sha256', bytes, 'hex');
  files.set(`manifests/${manifest}.json`, bytes);
  const record = recordBytes(makeRecord({ manifest, version: content.data.version, now: new Date(now) }));
  const log = await appendRecord(store, size, record);
  for (const [path, tile] of log.written) files.set(path, tile);
  const note = signNote(checkpointText({ origin: KEY.origin, ...log }), keys);
  const proof = await inclusionProof(size, log.size, hashesOf(store, log.size));
  const pointer = Buffer.from(encodePointer({ record, index: size, proof, note }));
  if (pointerPath === 'latest.tlog-proof') files.set('checkpoint', Buffer.from(note));
  files.set(pointerPath, pointer);
  return note;
}
