import { isReaderGone } from '../worker/cli/session.js';
import { UsageError } from './options.js';
import { script } from './script.js';
import type { Streams, Tool } from './tool.js';

/** Every tool, by its name: what it does, and where it is. */
export const tools: Readonly<Record<string, readonly [does: string, load: () => Promise<Tool>]>> = {
  attack: ['attacks the built service, and reports what held', () => import('./attack/main.js')],
  bench: ['measures speed and memory beside a bare server', () => import('./bench/main.js')],
  bootstrap: ['makes the rates that ship, from recordings', () => import('./bootstrap/main.js')],
  'feeds-check': [
    'reads feeds from recordings, and reports what is right',
    () => import('./feeds-check/main.js'),
  ],
  licences: ["checks the packages' licences", () => script('supply-chain/licences.mjs')],
  rehearse: ['the Compose file, from build to restore (needs Docker)', () => import('./rehearse/main.js')],
  terms: ["makes docs/data/terms.md, the publishers' terms", () => script('supply-chain/terms.mjs')],
  times: ['runs tests in other time zones and on other days', () => script('times/main.mjs')],
};

/**
 * Runs the tool that the first word names, with the words after it as its options. Returns the exit code: what the tool
 * returns, and 2 where there is none of this name, or it can't use its options.
 */
export async function runTool(words: readonly string[], streams: Streams): Promise<number> {
  const { stdout, stderr } = streams;
  const [name = '--help', ...args] = words;
  if (name === '--help') {
    stdout.write(list());
    return 0;
  }
  const [, load] = Object.hasOwn(tools, name) ? (tools[name] ?? []) : [];
  if (load === undefined) {
    stderr.write(`there is no tool ${name}\n${list()}`);
    return 2;
  }
  const { usage, run } = await load();
  if (args.includes('--help')) {
    stdout.write(`npm run tool -- ${usage}`);
    return 0;
  }
  try {
    return await run(args, streams);
  } catch (error) {
    if (isReaderGone(error)) return 0;
    if (!isAboutOptions(error)) throw error;
    stderr.write(`${error.message}\n`);
    return 2;
  }
}

function list(): string {
  const width = Math.max(...Object.keys(tools).map((name) => name.length));
  const lines = Object.entries(tools).map(([name, [does]]) => `  ${name.padEnd(width)}  ${does}\n`);
  return `npm run tool -- NAME [options], or NAME --help\n\n${lines.join('')}`;
}

function isAboutOptions(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS_');
}
