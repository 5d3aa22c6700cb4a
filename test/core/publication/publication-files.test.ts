import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type OpenPublicationFiles,
  openPublicationFiles,
} from '../../../core/publication/publication-files.js';
import { answer, type HttpStub, httpStub, type StubHandler } from '../../support/http-stub.js';
import { newFolder } from '../support.js';

const fault = (fault: string) => ({ name: 'PublicationError', fault, path: 'day/file' });

it('in a folder a file is read that has no more bytes than it may have', async () => {
  const folder = await newFolder();
  const files = openPublicationFiles(folder);
  const read = (most: number) => files.read('day/file', { most });
  await expect(read(5)).rejects.toMatchObject(fault('missing'));
  await mkdir(join(folder, 'day/file'), { recursive: true });
  await expect(read(5_000)).rejects.toMatchObject(fault('missing'));
  await rm(join(folder, 'day/file'), { recursive: true });
  await writeFile(join(folder, 'day/file'), 'hello');
  for (const most of [5, 5_000]) expect((await read(most)).toString()).toBe('hello');
  const whole = { bytes: Buffer.from('hello'), etag: undefined };
  expect(await files.readChanged('day/file', { most: 5 })).toEqual(whole);
  await expect(read(4)).rejects.toMatchObject(fault('size'));
  const end = async (last: number) => (await files.read('day/file', { most: 5, last })).toString();
  expect([await end(2), await end(5), await end(9)]).toEqual(['lo', 'hello', 'hello']);
});

describe('from a server', () => {
  let server: HttpStub;
  let files: OpenPublicationFiles;
  beforeEach(async () => {
    server = await httpStub();
    // One that waits for an answer which never comes is not to wait for long.
    files = openPublicationFiles(`${server.url}/bucket//`, { timeLimitMs: 1_000 });
  });
  afterEach(async () => {
    await server.close();
    await files.close();
  });

  const read = () => files.read('day/file', { most: 5 });
  const compressed = { 'content-encoding': 'gzip' };

  it('a file is read, compressed or not', async () => {
    server.route('/bucket/day/file', answer('hello'));
    expect((await read()).toString()).toBe('hello');
    server.route('/bucket/day/file', (_, response) => {
      response.writeHead(200, compressed).end(gzipSync('hello'));
    });
    expect((await read()).toString()).toBe('hello');
  });

  it('a file is read again only if it has changed', async () => {
    server.route('/bucket/day/file', ({ headers }, response) => {
      if (headers['if-none-match'] === '"one"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"one"' }).end('hello');
    });
    const first = await files.readChanged('day/file', { most: 5 });
    expect(first).toEqual({ bytes: Buffer.from('hello'), etag: '"one"' });
    expect(await files.readChanged('day/file', { most: 5, etag: first?.etag })).toBeUndefined();
  });

  it('the end of a file is read by a range, from a server that has ranges', async () => {
    server.route('/bucket/day/file', ({ headers }, response) => {
      const isCut = headers.range === 'bytes=-2' && headers['accept-encoding'] === 'identity';
      response.writeHead(isCut ? 206 : 500).end('lo');
    });
    const end = async () => (await files.read('day/file', { most: 5, last: 2 })).toString();
    expect(await end()).toBe('lo');
    server.route('/bucket/day/file', answer('hello'));
    expect(await end()).toBe('hello');
  });

  it('many files are read at once without a warning of a leak', async () => {
    const warned = vi.fn();
    process.once('warning', warned);
    server.route('/bucket/day/file', answer('hello'));
    const { signal } = new AbortController();
    const stoppable = openPublicationFiles(`${server.url}/bucket`, { signal });
    await Promise.all(Array.from({ length: 16 }, () => stoppable.read('day/file', { most: 5 })));
    await stoppable.close();
    process.off('warning', warned);
    expect(warned).not.toHaveBeenCalled();
  });

  const endless = (response: ServerResponse) => {
    if (!response.destroyed) response.write('x'.repeat(1_000), () => setImmediate(endless, response));
  };
  const longer = (response: ServerResponse) =>
    void response.writeHead(200, compressed).end(gzipSync(Buffer.alloc(1_000_000)));
  const stops = (response: ServerResponse, then?: () => void) =>
    void response.writeHead(200, { 'content-length': '5' }).write('hel', then);

  it.each<[string, string, StubHandler]>([
    ['is missing', 'missing', answer('', 404)],
    ['is missing from a store that lists nothing', 'missing', answer('', 403)],
    ['is longer', 'size', answer('hello!')],
    ['is longer once it is decompressed', 'size', (_, response) => longer(response)],
    ['never ends', 'size', (_, response) => endless(response)],
    ['never begins', 'unavailable', () => {}],
    ['stops in the middle', 'unavailable', (_, response) => stops(response)],
    ['is cut short', 'unavailable', (_, response) => stops(response, () => response.destroy())],
    ['is elsewhere', 'unavailable', answer('', 302, { location: 'https://elsewhere.example/' })],
    ['is not changed, though nobody asked', 'unavailable', answer('', 304)],
    ['is a part, though nobody asked', 'unavailable', answer('lo', 206)],
    ['fails', 'unavailable', answer('', 503)],
  ])('a file is refused that %s: %s', async (_, name, handler) => {
    server.route('/bucket/day/file', handler);
    await expect(read()).rejects.toMatchObject(fault(name));
  });

  it('the error says that nobody is there', async () => {
    await server.close();
    const message = expect.stringContaining('ECONNREFUSED');
    await expect(read()).rejects.toMatchObject({ ...fault('unavailable'), message });
    server = await httpStub();
  });
});
