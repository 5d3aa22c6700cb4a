import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type OpenPublicationFiles,
  openPublicationFiles,
} from '../../../core/publication/publication-files.js';
import { answer, type HttpStub, httpStub, type StubHandler } from '../../support/http-stub.js';

const fault = (fault: string) => ({ name: 'PublicationError', fault, path: 'day/file' });

describe('in a folder', () => {
  let folder: string;
  let files: OpenPublicationFiles;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-files-'));
    await mkdir(join(folder, 'day'));
    files = openPublicationFiles(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('reads a file of the bytes that it may have', async () => {
    await writeFile(join(folder, 'day/file'), 'hello');
    expect((await files.read('day/file', { most: 5 })).toString()).toBe('hello');
    expect((await files.read('day/file', { most: 5_000 })).toString()).toBe('hello');
    expect(await files.readChanged('day/file', { most: 5 })).toEqual({
      bytes: Buffer.from('hello'),
      etag: undefined,
    });
    await expect(files.read('day/file', { most: 4 })).rejects.toMatchObject(fault('size'));
  });

  it('names one that is not there', async () => {
    await expect(files.read('day/file', { most: 5 })).rejects.toMatchObject(fault('missing'));
    await mkdir(join(folder, 'day/file'));
    await expect(files.read('day/file', { most: 5_000 })).rejects.toMatchObject(fault('missing'));
  });
});

describe('from a server', () => {
  let server: HttpStub;
  let files: OpenPublicationFiles;
  beforeEach(async () => {
    server = await httpStub();
    files = openPublicationFiles(`${server.url}/bucket/`);
  });
  afterEach(async () => {
    await server.close();
    await files.close();
  });

  const read = () => files.read('day/file', { most: 5 });

  it('reads a file, compressed or not', async () => {
    server.route('/bucket/day/file', answer('hello'));
    expect((await read()).toString()).toBe('hello');
    server.route('/bucket/day/file', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    });
    expect((await read()).toString()).toBe('hello');
  });

  it('asks for a file again only if it has changed', async () => {
    server.route('/bucket/day/file', ({ headers }, response) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"one"' }).end('hello');
    });
    const first = await files.readChanged('day/file', { most: 5 });
    expect(first).toEqual({ bytes: Buffer.from('hello'), etag: '"one"' });
    expect(await files.readChanged('day/file', { most: 5, etag: first?.etag })).toBeUndefined();
  });

  it.each([
    ['is missing', 'missing', answer('', 404)],
    ['is longer', 'size', answer('hello!')],
    [
      'is longer once it is decompressed',
      'size',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)));
      },
    ],
    [
      'never ends',
      'size',
      (_: unknown, response: ServerResponse) => {
        const write = () => {
          if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(write));
        };
        write();
      },
    ],
    ['never begins', 'unavailable', () => {}],
    [
      'stops in the middle',
      'unavailable',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '5' }).write('hel');
      },
    ],
    [
      'is cut short',
      'unavailable',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '5' }).write('hel', () => response.destroy());
      },
    ],
    [
      'is elsewhere',
      'unavailable',
      (_: unknown, response: ServerResponse) => {
        response.writeHead(302, { location: 'https://elsewhere.example/' }).end();
      },
    ],
    ['is not changed, though nobody asked', 'unavailable', answer('', 304)],
    ['fails', 'unavailable', answer('', 503)],
  ] as const)('names a file that %s', async (about, name, handler) => {
    server.route('/bucket/day/file', handler as StubHandler);
    // One that waits for an answer which never comes is not to wait for long.
    const isSilent = /never begins|stops/.test(about);
    const patient = openPublicationFiles(`${server.url}/bucket`, isSilent ? { timeLimitMs: 300 } : {});
    await expect(patient.read('day/file', { most: 5 })).rejects.toMatchObject(fault(name));
    await patient.close();
  });

  it('says that nobody is there', async () => {
    await server.close();
    await expect(read()).rejects.toMatchObject({
      ...fault('unavailable'),
      message: expect.stringContaining('ECONNREFUSED'),
    });
    server = await httpStub();
  });
});
