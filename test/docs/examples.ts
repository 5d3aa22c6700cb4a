import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../core/process/project-files.js';

/** A command of the documentation, and the response that follows it there, if one does. */
export interface Example {
  command: string;
  response: string | undefined;
}

/** Why examples can't be run, for `describe.skipIf`; undefined where they can. */
export const curlMissing = spawnSync('curl', ['--version']).error ? 'curl is not installed' : undefined;

const FENCED = /^```sh\n(curl [^\n]+)\n```\n(?:\n```(?:json|csv)\n(.*?)^```$)?/gms;
const INDENTED = /^ {4}\$ (curl (?:[^\n]*\\\n)*[^\n]*)\n((?: {4}[^$\n][^\n]*\n|\n(?= {4}[^$]))*)/gm;

/** Every call of curl in a file of the documentation that stands in a block of its own. */
export function examplesOf(file: string): Example[] {
  const text = readFileSync(join(projectFolder, file), 'utf8');
  const fenced = [...text.matchAll(FENCED)].map(([, command = '', response]) => ({ command, response }));
  const indented = [...text.matchAll(INDENTED)].map(([, command = '', response]) => ({
    command,
    response: response?.replace(/^ {4}/gm, ''),
  }));
  return [...fenced, ...indented].map(({ command, response }) => ({
    command,
    response: response?.trim() === '' ? undefined : response,
  }));
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
