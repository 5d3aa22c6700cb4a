import { join } from 'node:path';
import type { Usage } from '../../programs/probe.js';
import {
  type Program,
  type Server,
  startApi as startApiProgram,
  startServer,
} from '../../programs/programs.js';

/** The API as a child process, with its default settings. */
export interface Api extends Server {
  /** Milliseconds from its start until it served rates. */
  readyMs: number;
}

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
  const started = performance.now();
  // Counted as by default, but never reached.
  const env = { ...source, RATE_LIMITS: 'currency=999999999' };
  const api = await startApiProgram('api', { folder, env, measured: true });
  const readyMs = performance.now() - started;
  // Some of what V8 has optimized is lost with the first full collection of an idle program.
  await api.request('collect', 'collected');
  return { ...api, readyMs };
}

/** Starts a baseline: see baseline.ts. */
export function startBaseline(name: 'express' | 'http'): Promise<Server> {
  const env = { BASELINE: name };
  return startServer('baseline', 'tools/bench/support/baseline.js', { env, measured: true });
}

/** What a measured program has used since it started. */
export function usageOf(program: Program): Promise<Usage> {
  return program.request<Usage>('usage', 'usage');
}

/** The text of a GET request over a connection that stays open. */
export function requestText(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
