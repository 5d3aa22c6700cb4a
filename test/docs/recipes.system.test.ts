import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPublished, publicationBlocks } from './published.js';
import { missingFor, openRunner, type Runner, readRecipes } from './recipes.js';
import { type Block, blocksIn, firstStart, read } from './support.js';

const recipes = readRecipes();

it('the index lists every recipe', () => {
  const index = read('docs/recipes/README.md');
  const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(recipes.map(({ file }) => file).toSorted());
});

// A reader runs the blocks of a recipe in order: later ones read what earlier ones wrote.
for (const { file, blocks } of [...recipes, { file: 'sdmx.md', blocks: blocksIn('docs/sdmx.md') }]) {
  describe(file, { shuffle: false }, () => {
    let runner: Runner;
    beforeAll(async () => {
      runner = await openRunner((await firstStart()).url);
    }, 180_000);
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

it('pandas reads the table of docs/publication.md, and the tables themselves with pyarrow', async (context) => {
  const [block] = publicationBlocks('python');
  if (!block?.output) throw new Error('the document has no pandas with its output');
  const missing = missingFor(block);
  context.skip(missing !== undefined, `there is no ${missing}`);
  const reading = `import pyarrow
from glob import glob
rates = pd.concat([pd.read_parquet(path) for path in glob("blended/*.parquet")])
rates["date"] = pd.to_datetime(rates["date"])`;
  const ofTables = { ...block, code: block.code.replace(/^rates = .*$/m, reading) };
  // Debian has no pyarrow.
  const blocks = [block, ...(missingFor(ofTables) === undefined ? [ofTables] : [])];
  const published = await openPublished();
  const runner = await openRunner('');
  try {
    for (const { code } of publicationBlocks('sql')) await published.query(code);
    for (const { code } of blocks) {
      const there = `import os; os.chdir("${published.folder}")\n${code}`;
      expect(await runner.run({ ...block, code: there })).toBe(block.output);
    }
  } finally {
    await runner.close();
    await published.close();
  }
});
