import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpStub } from '../support/http-stub.js';
import { openPublished, type Published, publicationBlocks } from './published.js';
import { read } from './support.js';

let published: Published;
beforeAll(async () => {
  published = await openPublished();
});
afterAll(() => published?.close());

describe('SQL in docs/publication.md', { shuffle: false }, () => {
  const blocks = publicationBlocks('sql');

  it('is there', () => {
    expect(blocks.length).toBeGreaterThan(3);
  });

  it.for(blocks.map((block, index) => ({ ...block, number: index + 1 })))(
    'block $number',
    async ({ code, output }) => {
      const printed = await published.query(code);
      if (output !== undefined) expect(printed).toBe(output.trimEnd());
    },
  );

  it('writes a table with a header', async () => {
    const csv = await readFile(join(published.folder, 'rates.csv'), 'utf8');
    expect(csv).toMatch(/^date,base,quote,rate\n2025-12-30,USD,EUR,0\.85\n/);
  });
});

it('one currency is read from a server by ranges', async () => {
  const [name = ''] = await readdir(join(published.folder, 'blended'));
  const file = await readFile(join(published.folder, 'blended', name));
  const server = await httpStub({
    '*': ({ method, headers: { range } }, response) => {
      const [, from = '0', to = String(file.length - 1)] = /(\d+)-(\d+)/.exec(range ?? '') ?? [];
      const part = file.subarray(Number(from), Number(to) + 1);
      response.writeHead(range ? 206 : 200, { 'content-length': part.length });
      response.end(method === 'HEAD' ? undefined : part);
    },
  });
  try {
    const rows = await parquetReadObjects({
      file: await asyncBufferFromUrl({ url: `${server.url}/blended/${name}` }),
      columns: ['quote', 'rate'],
      filter: { quote: { $eq: 'JPY' } },
    });
    expect(rows).toEqual([{ quote: 'JPY', rate: 156.5 }]);
    expect(server.requests.some(({ headers }) => headers.range)).toBe(true);
  } finally {
    await server.close();
  }
});

it('every fault is explained', () => {
  const faults = [...read('core/publication/publication-error.ts').matchAll(/^ {2}\| '([\w-]+)'/gm)];
  const [, section = ''] = /^## What a fault means$(.*?)^## /ms.exec(read('docs/publication.md')) ?? [];
  const cells = [...section.matchAll(/^\| (`.*?`) \|/gm)];
  const explained = cells.flatMap(([, cell = '']) => cell.match(/[\w-]+/g) ?? []);
  expect(explained.toSorted()).toEqual(faults.map(([, fault]) => fault).toSorted());
});
