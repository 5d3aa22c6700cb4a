import { closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './children.js';

/** The API as a child process, with its default settings. */
export interface Api extends Child {
  url: string;
  /** Milliseconds from its start until it served rates. */
  readyMs: number;
  /** Empties its log file. */
  truncateLog(): void;
}

const PROGRAM = new URL('../../../src/main.js', import.meta.url);

/** Starts the API on a database. Resolves once it serves rates. `nodeOptions` are for profiling. */
export function startApi(
  databaseUrl: string,
  folder: string,
  nodeOptions: readonly string[] = [],
): Promise<Api> {
  return startOn({ DATABASE_URL: databaseUrl }, folder, nodeOptions);
}

/** Starts it on published files, of which it keeps a copy in the folder. */
export function startEdge(published: { folder: string; key: string }, folder: string): Promise<Api> {
  const { folder: PUBLICATION_URL, key: PUBLICATION_KEY } = published;
  return startOn({ PUBLICATION_URL, PUBLICATION_KEY, DATA_DIR: join(folder, 'edge') }, folder);
}

async function startOn(
  source: Readonly<Record<string, string>>,
  folder: string,
  nodeOptions: readonly string[] = [],
): Promise<Api> {
  const file = join(folder, `api-${process.hrtime.bigint()}.log`);
  const output = openSync(file, 'a');
  const started = performance.now();
  try {
    // Counted as by default, but never reached.
    const env = {
      ...source,
      PORT: '0',
      HOST: '127.0.0.1',
      RATE_LIMITS: 'currency=999999999',
    };
    const child = startChild(PROGRAM, { env, output, nodeOptions: ['--enable-source-maps', ...nodeOptions] });
    const { url } = await child
      .request<{ url: string }>(undefined, 'listening')
      .catch(async (error: unknown) => {
        await child.stop();
        throw error;
      });
    const readyMs = performance.now() - started;
    // Some of what V8 has optimized is lost with the first full collection of an idle program.
    await child.request('collect', 'collected');
    return { ...child, url, readyMs, truncateLog: () => truncateSync(file) };
  } finally {
    closeSync(output);
  }
}

/** The text of a GET request over a connection that stays open. */
export function requestText(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}
