import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../core/process/project-files.js';
import { startApi, type TestApi } from '../support/api.js';
import { filledDatabase } from '../support/postgres.js';
import { loadAll } from '../support/shipped-rates.js';

/** A file of the project. */
export const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');

/** Any day after the newest of the rates that ship with the project. */
const clock = () => new Date('2026-06-01T12:00:00Z');
let started: Promise<TestApi> | undefined;

/** The API as on a first start. The files that a process runs share it, and nobody closes it. */
export function firstStart(): Promise<TestApi> {
  started ??= filledDatabase('the rates that ship with the project', async (database) => {
    await loadAll(database);
  }).then((database) => startApi(database, { clock }));
  return started;
}

/** A block of a document, and the output that directly follows it there. */
export interface Block {
  language: string;
  code: string;
  output: string | undefined;
}

const BLOCK = /^```(\w+)\n(.*?)^```$(?:\n\n```(?:text|json|csv)\n(.*?)^```$)?/gms;

/** The blocks of a document, in order. */
export function blocksIn(document: string): Block[] {
  const found = [...read(document).matchAll(BLOCK)];
  return found.map(([, language = '', code = '', output]) => ({ language, code, output }));
}

/** Why examples can't be run, for `describe.skipIf`; undefined where they can. */
export const curlMissing = spawnSync('curl', ['--version']).error ? 'curl is not installed' : undefined;

const FENCED = /^```sh\n(curl [^\n]+)\n```\n(?:\n```(?:json|csv)\n(.*?)^```$)?/gms;
const INDENTED = /^ {4}\$ (curl (?:[^\n]*\\\n)*[^\n]*)\n((?: {4}[^$\n][^\n]*\n|\n(?= {4}[^$]))*)/gm;

/** Every call of curl that stands in a block of its own in a document, and the response that follows it, if one does. */
export function examplesOf(file: string): { command: string; response: string | undefined }[] {
  return [FENCED, INDENTED].flatMap((pattern) =>
    [...read(file).matchAll(pattern)].map(([block, command = '', shown = '']) => {
      const response = block.startsWith(' ') ? shown.replace(/^ {4}/gm, '') : shown;
      return { command, response: response.trim() === '' ? undefined : response };
    }),
  );
}

/** What the command prints, as a shell runs it, from a server that is elsewhere than the documentation says. */
export async function run(command: string, url: string, variables: Readonly<Record<string, string>> = {}) {
  const here = command
    .replaceAll('http://localhost:8080', url)
    .replace(/^curl/, 'curl --silent --show-error');
  const env = { PATH: process.env.PATH, ...variables };
  return (await promisify(execFile)('sh', ['-c', here], { env })).stdout;
}

/** The JSON of a response that may go over several lines and leave out further fields with an ellipsis. */
export function documented(response: string): unknown {
  return JSON.parse(response.slice(response.search(/^[[{]/m)).replaceAll(',...', ''));
}
