import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './children.js';

/** A process that is measured. */
export interface Server extends Child {
  url: string;
}

/** The API as a child process, with its default settings. */
export interface Api extends Server {
  /** Milliseconds from its start until it served rates. */
  readyMs: number;
}

const PROGRAM = new URL('../../../src/main.js', import.meta.url);
const BASELINE = new URL('./baseline.js', import.meta.url);

/** Starts the API on a database, with its log in the folder. Resolves once it serves rates. */
export function startApi(databaseUrl: string, folder: string): Promise<Api> {
  return startOn({ DATABASE_URL: databaseUrl }, folder);
}

/** Starts it on published files, of which it keeps a copy in the folder. */
export function startEdge(published: { folder: string; key: string }, folder: string): Promise<Api> {
  const { folder: PUBLICATION_URL, key: PUBLICATION_KEY } = published;
  return startOn({ PUBLICATION_URL, PUBLICATION_KEY, DATA_DIR: join(folder, 'edge') }, folder);
}

async function startOn(source: Readonly<Record<string, string>>, folder: string): Promise<Api> {
  const output = openSync(join(folder, 'api.log'), 'a');
  const started = performance.now();
  // Counted as by default, but never reached.
  const env = { ...source, PORT: '0', HOST: '127.0.0.1', RATE_LIMITS: 'currency=999999999' };
  const child = startChild(PROGRAM, { env, output, nodeOptions: ['--enable-source-maps'] });
  closeSync(output);
  const { url } = await child
    .request<{ url: string }>(undefined, 'listening')
    .catch(async (error: unknown) => {
      await child.stop();
      throw error;
    });
  const readyMs = performance.now() - started;
  // Some of what V8 has optimized is lost with the first full collection of an idle program.
  await child.request('collect', 'collected');
  return { ...child, url, readyMs };
}

/** Starts a baseline: see baseline.ts. */
export async function startBaseline(name: 'express' | 'http'): Promise<Server> {
  const child = startChild(BASELINE, { env: { BASELINE: name } });
  const { url } = await child.request<{ url: string }>(undefined, 'listening');
  return { ...child, url };
}

/** The text of a GET request over a connection that stays open. */
export function requestText(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
