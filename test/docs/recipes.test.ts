import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { bootstrap } from '../../worker/import/bootstrap.js';
import { startApi, type TestApi } from '../support/api.js';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { type Block, blocksIn, missingFor, openRunner, type Runner, readRecipes } from './recipes.js';

// As on a first start, on any day after the newest of the rates that ship with the project.
const clock = () => new Date('2026-06-01T12:00:00Z');
const recipes = readRecipes();

let database: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  database = await testDatabase();
  await bootstrap(database, pino({ level: 'silent' }), { clock });
  api = await startApi(database, { clock });
}, 180_000);
afterAll(async () => {
  await api?.close();
  await database?.close();
});

it('the index lists every recipe', () => {
  const index = readFileSync(join(projectFolder, 'docs/recipes/README.md'), 'utf8');
  const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(recipes.map(({ file }) => file).toSorted());
});

// A reader runs the blocks of a recipe in order: later ones read what earlier ones wrote.
for (const { file, blocks } of [...recipes, { file: 'sdmx.md', blocks: blocksIn('docs/sdmx.md') }]) {
  describe(file, { shuffle: false }, () => {
    let runner: Runner;
    beforeAll(async () => {
      runner = await openRunner(api.url);
    });
    afterAll(() => runner?.close());

    it('has blocks', () => {
      expect(blocks).not.toEqual([]);
    });

    it.for(blocks.map((block, index) => ({ ...block, number: index + 1 })))(
      'block $number in $language',
      { timeout: 90_000 },
      async (block, context) => {
        const missing = missingFor(block);
        context.skip(missing !== undefined, `there is no ${missing}`);
        const printed = await runner.run(block);
        if (block.output !== undefined) expect(printed.trimEnd()).toBe(block.output.trimEnd());
        for (const name of membersRead(block)) expect(printed).toContain(`"${name}":`);
      },
    );
  });
}

/** The members of a response that a block of Home Assistant or Grafana reads. */
function membersRead({ code }: Block): string[] {
  const found = code.matchAll(/value_json\.(\w+)|"selector": "(\w+)"/g);
  return [...found].map(([, ofSensor, ofColumn]) => ofSensor ?? ofColumn ?? '');
}
