import { setMaxListeners } from 'node:events';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { HttpClientError } from '../http-client/http-client-error.js';
import { openAgent } from '../http-client/open-agent.js';
import type { Proxies } from '../http-client/proxies.js';
import { type ReceivedResponse, sendRequest } from '../http-client/send-request.js';
import { ifMissingFile } from '../process/replace-file.js';
import { PublicationError } from './publication-error.js';

interface ReadLimit {
  most: number;
  /** Only this much from the end of a longer file. A server that has no ranges sends the whole file. */
  last?: number;
}

export interface PublicationFiles {
  /** Throws a PublicationError: `missing`, `size` if it is longer than `most`, `unavailable`. */
  read(path: string, limit: ReadLimit): Promise<Buffer>;
  /** Everything except folders, including links, sorted. A server can't list its files. */
  list?(): Promise<string[]>;
}

export interface OpenPublicationFiles extends PublicationFiles {
  /** Undefined if the file has not changed since the response with this tag of the server. A folder gives none. */
  readChanged(
    path: string,
    limit: ReadLimit & { etag?: string | undefined },
  ): Promise<{ bytes: Buffer; etag: string | undefined } | undefined>;
  close(): Promise<void>;
}

/** Timeout for a file from a server, to its last byte. */
const TIME_LIMIT_MS = 60_000;
const CONNECT_LIMIT_MS = 10_000;
const CONNECTIONS = 8;

interface OpenOptions {
  signal?: AbortSignal | undefined;
  timeLimitMs?: number;
  proxies?: Proxies | undefined;
}

/** Opens a folder, or an `http:` or `https:` URL. */
export function openPublicationFiles(location: string, options: OpenOptions = {}): OpenPublicationFiles {
  return /^https?:\/\//.test(location) ? filesAt(location.replace(/\/+$/, ''), options) : filesIn(location);
}

/** Synchronous, a twentieth of the time for small files. Non-blocking mode, in case one is a pipe. */
function filesIn(folder: string): OpenPublicationFiles {
  const read: PublicationFiles['read'] = async (path, limit) => {
    let file: number | undefined;
    try {
      file = openSync(join(folder, path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      return readAtMost(file, path, limit);
    } catch (error) {
      throw error instanceof PublicationError ? error : unreadable(error, path);
    } finally {
      if (file !== undefined) closeSync(file);
    }
  };
  return {
    read,
    list: () => listFiles(folder),
    readChanged: async (path, limit) => ({ bytes: await read(path, limit), etag: undefined }),
    close: async () => {},
  };
}

/** Everything except folders, sorted. Empty if the folder does not exist. */
export async function listFiles(folder: string, under = ''): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(join(folder, under), options).catch(ifMissingFile);
  return (entries ?? [])
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function readAtMost(file: number, path: string, { most, last = most }: ReadLimit): Buffer {
  const { size } = fstatSync(file);
  if (size > most) throw tooLong(path, most);
  const start = Math.max(0, size - last);
  const buffer = Buffer.allocUnsafe(size - start);
  return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start));
}

function unreadable(error: unknown, path: string): PublicationError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(code)
    ? missing(path)
    : new PublicationError('unavailable', `cannot be read (${code})`, { path, cause: error });
}

function filesAt(
  url: string,
  { signal, timeLimitMs = TIME_LIMIT_MS, proxies }: OpenOptions,
): OpenPublicationFiles {
  // Each request listens to it, and many files are read at once.
  if (signal) setMaxListeners(0, signal);
  const dispatcher = openAgent({ connections: CONNECTIONS, connect: { timeout: CONNECT_LIMIT_MS }, proxies });
  const readChanged: OpenPublicationFiles['readChanged'] = async (path, { most, last, etag }) => {
    const headers = {
      ...(etag !== undefined && { 'if-none-match': etag }),
      // A range of compressed bytes would be of no use.
      ...(last !== undefined && { range: `bytes=-${last}`, 'accept-encoding': 'identity' }),
    };
    const accepts = (status: number) =>
      status === 200 || (status === 206 && last !== undefined) || (status === 304 && etag !== undefined);
    const options = { dispatcher, accepts, maxBytes: most, timeLimitMs, signal };
    let response: ReceivedResponse;
    try {
      response = await sendRequest({ method: 'GET', url: `${url}/${path}`, headers }, options);
    } catch (error) {
      throw error instanceof HttpClientError ? unreachable(error, path, most) : error;
    }
    if (response.status === 304) return undefined;
    const { buffer, byteOffset, byteLength } = response.bytes;
    return { bytes: Buffer.from(buffer, byteOffset, byteLength), etag: response.headers.get('etag') };
  };
  return {
    async read(path, limit) {
      const file = await readChanged(path, limit);
      // Without a tag every response contains the file.
      if (!file) throw missing(path);
      return file.bytes;
    },
    readChanged,
    close: () => dispatcher.close(),
  };
}

function unreachable(error: HttpClientError, path: string, most: number): PublicationError {
  if (error.status === 404 || error.status === 410) return missing(path);
  // For an object that it lacks, Amazon S3 responds with this if the client may not list the others (GetObject).
  if (error.status === 403) return missing(path, 'is not there, or may not be read');
  if (error.reason === 'too-large') return tooLong(path, most);
  return new PublicationError('unavailable', error.detail, { path, cause: error });
}

function missing(path: string, detail = 'is not there'): PublicationError {
  return new PublicationError('missing', detail, { path });
}

function tooLong(path: string, most: number): PublicationError {
  return new PublicationError('size', `is longer than ${most} bytes`, { path });
}
