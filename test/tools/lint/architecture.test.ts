import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import dependencies, { ROOMS, SHARED } from '../../../tools/lint/dependencies.mjs';

// The checks of `npm run check`, with the project's own settings, on small projects that break one rule each.

const SETTINGS = ['.gitignore', 'biome.json', 'package.json', 'tools/lint', 'tsconfig.json'];
const PROGRAMS = ['core', 'src', 'worker', 'prisma'];

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-architecture-'));
  for (const path of SETTINGS) await cp(join(projectFolder, path), join(folder, path), { recursive: true });
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  for (const path of [...PROGRAMS, ...Object.keys(ROOMS)])
    await mkdir(join(folder, path), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Writes the files, and returns the exit code and output of a tool that runs on them. */
async function check(
  files: Readonly<Record<string, string>>,
  [tool, ...options]: readonly [string, ...string[]],
): Promise<{ code: number; output: string }> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return new Promise((resolve) => {
    execFile(
      join(projectFolder, 'node_modules', '.bin', tool),
      options,
      { cwd: folder, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

const imports = (files: Readonly<Record<string, string>>) =>
  check(files, [
    'depcruise',
    ...PROGRAMS,
    '--config',
    'tools/lint/dependencies.mjs',
    '--output-type',
    'err-long',
  ]);
const lint = (files: Readonly<Record<string, string>>) => check(files, ['biome', 'lint', '.']);
const unused = (files: Readonly<Record<string, string>>) =>
  check(files, [
    'knip',
    '--config',
    'tools/lint/knip.jsonc',
    '--include',
    'files,exports',
    '--no-config-hints',
  ]);

const value = 'export const value = 1;\n';
const using = (...paths: string[]) =>
  paths.map((path, index) => `export { value as value${index} } from '${path}';\n`).join('');

describe('imports', () => {
  test('along the arrows pass', async () => {
    const { code, output } = await imports({
      'core/domain/dates.ts': value,
      'core/database/rates.ts': using('pg', '../domain/dates.js'),
      'src/http/errors.ts': value,
      'src/rates/routes/rates-routes.ts': using('../../http/errors.js', '../../../core/database/rates.js'),
      'src/app.ts': using('./rates/routes/rates-routes.js'),
      'worker/feeds/feed.ts': value,
      'worker/banks/ecb.ts': using('../feeds/feed.js', '../../core/domain/dates.js'),
    });
    expect(output).toContain('no dependency violations found');
    expect(code).toBe(0);
  });

  test('against the arrows fail, each by the name of its rule', async () => {
    const forbidden = [
      ['src/app.ts', 'worker/feeds/feed.ts', 'src-imports-only-what-it-may'],
      ['worker/main.ts', 'src/app.ts', 'worker-imports-only-what-it-may'],
      ['core/domain/dates.ts', 'src/app.ts', 'core-imports-only-what-it-may'],
      ['core/domain/dates.ts', 'core/queues/queues.ts', 'core-domain-imports-only-what-it-may'],
      ['core/process/config.ts', 'core/database/rates.ts', 'core-process-imports-only-what-it-may'],
      ['src/weather/routes.ts', 'src/bus/routes.ts', 'no-cross-feature-imports'],
      ['src/http/errors.ts', 'src/weather/routes.ts', 'shared-code-knows-no-feature'],
      ['src/weather/routes.ts', 'src/app.ts', 'features-do-not-compose'],
      [
        'src/rates/snapshot/rows.ts',
        'src/rates/sources/pinned.ts',
        'src-rates-snapshot-imports-only-what-it-may',
      ],
      ['worker/banks/ecb.ts', 'worker/ingest/ingest.ts', 'worker-banks-imports-only-what-it-may'],
      ['worker/banks/ecb.ts', 'worker/banks/boc.ts', 'a-bank-knows-no-other-bank'],
      ['worker/banks/ecb.ts', 'core/database/rates.ts', 'banks-know-little-of-core'],
      ['worker/backup/backup.ts', 'worker/blend/blend.ts', 'worker-backup-imports-only-what-it-may'],
      ['core/made-up/room.ts', 'core/domain/dates.ts', 'core-made-up-imports-only-what-it-may'],
      ['core/domain/dates.ts', 'tools/synth/main.ts', 'core-imports-only-what-it-may'],
      ['src/app.ts', 'tools/synth/main.ts', 'src-imports-only-what-it-may'],
      ['worker/main.ts', 'tools/synth/main.ts', 'worker-imports-only-what-it-may'],
      ['core/start/main.ts', 'src/app.ts', 'core-imports-only-what-it-may'],
      ['prisma/generate.mjs', 'tools/synth/main.ts', 'prisma-imports-only-what-it-may'],
      ['src/pages/shared/rows.ts', 'src/pages/html.ts', 'browser-code-runs-without-node'],
      ['src/pages/html.ts', 'src/pages/browser/home.ts', 'pages-reach-browser-code-by-its-address'],
      ['worker/feeds/read.ts', 'worker/ingest/ingest.ts', 'worker-feeds-imports-only-what-it-may'],
      ['worker/jobs/schedule.ts', 'worker/cli/program.ts', 'the-command-line-is-an-end'],
      ['src/bus/routes.ts', 'pg', 'database-libraries-only-in-core-database'],
      ['worker/ingest/ingest.ts', '@prisma/client', 'database-libraries-only-in-core-database'],
      ['worker/jobs/schedule.ts', 'vitest', 'no-development-packages'],
      ['worker/main.ts', './missing.js', 'every-import-is-found'],
    ] as const;
    const files: Record<string, string> = {};
    for (const [from, to] of forbidden) {
      const isFile = to.endsWith('.ts');
      if (isFile) files[to] ??= '';
      const path = isFile ? relative(dirname(from), to).replace(/^(?!\.)/, './') : to;
      files[from] = `${files[from] ?? ''}import '${path.replace(/\.ts$/, '.js')}';\n`;
    }
    const { code, output } = await imports(files);
    for (const [from, to, rule] of forbidden) {
      const shown = to.startsWith('.') || to.endsWith('.ts') ? to : `node_modules/${to}`;
      const lines = output.split('\n').filter((line) => line.includes(`${rule}: ${from} → `));
      expect(lines.join('\n'), `${rule}: ${from} → ${to}`).toContain(shown);
    }
    expect(code).not.toBe(0);
  });

  test('have a rule for every folder that there is, and for none that is gone', () => {
    const rooms = Object.entries(ROOMS).flatMap(([folder, rooms]) =>
      Object.entries(rooms).flatMap(([room, listed]) => [room, ...listed].map((path) => `${folder}/${path}`)),
    );
    for (const path of [...rooms, ...SHARED]) expect(existsSync(join(projectFolder, path)), path).toBe(true);
    const names = dependencies.forbidden.map(({ name }) => name);
    for (const room of ['core-database', 'worker-feeds', 'src-rates-routes', 'worker-backup']) {
      expect(names).toContain(`${room}-imports-only-what-it-may`);
    }
  });

  test('of types count as well', async () => {
    const { code, output } = await imports({
      'worker/feeds/feed.ts': 'export interface Feed {}\n',
      'src/app.ts': "import type { Feed } from '../worker/feeds/feed.js';\nexport type Other = Feed;\n",
    });
    expect(output).toContain('src-imports-only-what-it-may');
    expect(code).not.toBe(0);
  });

  test('in a circle fail, between files and between folders', async () => {
    const { code, output } = await imports({
      'core/domain/one.ts': using('./other.js'),
      'core/domain/other.ts': using('./one.js'),
      'worker/ingest/store.ts': using('../blend/replace.js'),
      'worker/blend/replace.ts': value,
      'worker/blend/reblend.ts': using('../ingest/runs.js'),
      'worker/ingest/runs.ts': value,
    });
    expect(output).toMatch(/no-circle-of-files: core\/domain\/o/);
    expect(output).toMatch(/no-circle-of-folders: worker\/(ingest|blend)/);
    expect(code).not.toBe(0);
  });
});

describe('SQL', () => {
  test('in core/database passes, and so does prose elsewhere', async () => {
    const { code, output } = await lint({
      'core/database/rates.ts': "export const all = 'select * from rates';\n",
      'src/texts.ts':
        "export const texts = ['select a bank', 'Where it is: the step', 'update', 'on time', 'with care', 'begins'];\n",
    });
    expect(output).not.toContain('SQL');
    expect(code).toBe(0);
  });

  test('elsewhere fails', async () => {
    const texts = [
      "'select * from rates'",
      "'SELECT 1'",
      '`\n  insert into rates (key) values (1)`',
      "'update rates set rate = 1'",
      "'delete from rates'",
      '`with fresh as (select 1) select * from fresh`',
      "'create temporary table imported (key text)'",
      "'copy rates (key) from stdin'",
      "'begin'",
      "'set local statement_timeout = 0'",
      '`listen $' + '{text}`',
      "'where date between $1 and $2'",
      "'order by date'",
    ];
    const path = (index: number) => `worker/ingest/text-${index}.ts`;
    const { code, output } = await lint(
      Object.fromEntries(texts.map((text, index) => [path(index), `export const text = ${text};\n`])),
    );
    for (const [index, text] of texts.entries()) expect(output, text).toContain(`${path(index)}:1`);
    expect(output).toContain('SQL belongs in core/database.');
    expect(code).not.toBe(0);
  });
});

test('a bank that imports more than types of the HTTP client fails', async () => {
  const { code, output } = await lint({
    'worker/banks/ecb.ts':
      "import type { HttpClient } from '../feeds/http/client.js';\nexport type Http = HttpClient;\n",
    'worker/banks/boc.ts':
      "import { excerpt } from '../../core/http-client/body.js';\nexport const feed = excerpt;\n",
  });
  expect(output).toContain('worker/banks/boc.ts');
  expect(output).not.toContain('worker/banks/ecb.ts');
  expect(code).not.toBe(0);
});

test('an export or a file that nothing uses fails', async () => {
  const { code, output } = await unused({
    'core/start/main.ts': "import { used } from '../domain/dates.js';\nprocess.exitCode = used;\n",
    'core/domain/dates.ts': 'export const used = 0;\nexport const unused = 1;\n',
    'core/domain/forgotten.ts': value,
  });
  expect(output).toMatch(/unused\s.*core\/domain\/dates\.ts/);
  expect(output).toMatch(/^core\/domain\/forgotten\.ts/m);
  expect(code).not.toBe(0);
});
