import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../core/process/project-files.js';
import { type Block, blocksIn } from './support.js';

const FOLDER = 'docs/recipes';

/** The recipes, in the order of their files. */
export function readRecipes(): { file: string; blocks: Block[] }[] {
  const files = readdirSync(join(projectFolder, FOLDER)).filter((file) => file !== 'README.md');
  return files.map((file) => ({ file, blocks: blocksIn(join(FOLDER, file)) }));
}

/** The interpreter that Debian's packages are installed for, where there is one. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const TOOLS = ['curl', 'awk', 'bean-check', 'hledger'];
/** Whether npm can install what a recipe asks for. */
const hasRegistry = spawnSync('npm', ['view', 'openapi-fetch', 'version']).status === 0;

/** What a block needs that is not installed; undefined where it can be run. */
export function missingFor({ language, code }: Block): string | undefined {
  if (language === 'python') {
    const modules = ['json', 'pandas', 'pyarrow'].filter((name) => code.includes(`import ${name}`)).join();
    const isThere = spawnSync(python, ['-c', modules && `import ${modules}`]).status === 0;
    return isThere ? undefined : `python3 with ${modules}`;
  }
  const needsRegistry = (language === 'ts' ? /^import /m : /^np[mx] /m).test(code);
  if (needsRegistry && !hasRegistry) return 'registry for npm';
  if (language !== 'sh') return undefined;
  const used = TOOLS.filter((tool) => new RegExp(`^ *${tool} `, 'm').test(code));
  return used.find((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
}

/** Runs the blocks of a recipe, in a folder of their own. */
export interface Runner {
  /** What the block prints; of a block that is not run, the response to the last request that is written in it. */
  run(block: Block): Promise<string>;
  close(): Promise<void>;
}

/** A runner against a server that is elsewhere than the documentation says. */
export async function openRunner(url: string): Promise<Runner> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-recipe-'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');

  async function execute(command: string, args: string[]): Promise<string> {
    const stubs = join(projectFolder, 'test/docs/stubs');
    // npm finds its registry and its cache by the home folder.
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PYTHONPATH: stubs, PYTHONDONTWRITEBYTECODE: '1' };
    try {
      return (await promisify(execFile)(command, args, { cwd: folder, env })).stdout;
    } catch (error) {
      // A compiler says on standard output what is wrong.
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`${stdout}${stderr}`, { cause: error });
    }
  }

  async function runTypeScript(code: string): Promise<string> {
    await writeFile(join(folder, 'recipe.ts'), code);
    const options = '--strict --target esnext --module nodenext --noEmitOnError';
    // A recipe that installs a compiler is compiled by that one.
    const compiler = [folder, projectFolder].map((at) => join(at, 'node_modules/.bin/tsc')).find(existsSync);
    if (compiler === undefined) throw new Error('there is no compiler: npm ci');
    await execute(compiler, [...options.split(' '), 'recipe.ts']);
    return execute(process.execPath, ['recipe.js']);
  }

  return {
    async run({ language, code }) {
      const here = code.replaceAll('http://localhost:8080', url);
      if (language === 'sh') return execute('sh', ['-c', here]);
      if (language === 'python') return execute(python, ['-c', here + callFor(here)]);
      if (language === 'ts') return runTypeScript(here);
      const request = [...here.matchAll(/http:[^"'\s]+/g)].at(-1)?.[0];
      if (request === undefined) throw new Error('there is no request in the block');
      return (await fetch(request)).text();
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** The call that Odoo makes; `stubs` has as much of Odoo as a class needs. */
function callFor(code: string): string {
  const called = /class (\w+)\(models\.Model\)/.exec(code)?.[1];
  if (called === undefined) return '';
  return `print(json.dumps(${called}()._obtain_rates("EUR", ["USD", "GBP"], "2026-03-04", "2026-03-05")))`;
}
