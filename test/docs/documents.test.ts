import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { read } from './support.js';

const NOT_OURS = new Set(['node_modules', 'dist', 'generated', '.git', '.almanac']);

/** Every file below a folder of the project, as paths from the project's folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

const files = filesBelow('.');
const documents = files.filter((file) => file.endsWith('.md'));
/** A document without its code, in which brackets mean something else. */
const proseOf = (text: string) => text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`\n]*`/g, '');

/** The anchors of a document's headings, as they are made of them where it is shown. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What is wrong with a link, if anything is. */
function faultOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(projectFolder, target))) return `${document}: ${link} is not there`;
  if (anchor === undefined || anchorsOf(read(target)).includes(anchor)) return undefined;
  return `${document}: ${target} has no heading #${anchor}`;
}

describe('links', () => {
  it('of documents lead to a file and a heading that are there', () => {
    const faults = documents.flatMap((document) =>
      [...proseOf(read(document)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) =>
        /^[a-z]+:/.test(link) ? [] : [faultOf(document, link)],
      ),
    );
    expect(faults.length).toBeGreaterThan(100);
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('of code and configuration name documents that are there', () => {
    const named = files
      .filter((file) => /\.(ts|mjs|js|css|json|ya?ml|sql|prisma|example)$|^Dockerfile$/.test(file))
      .flatMap((file) =>
        [...read(file).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => ({ file, link })),
      );
    expect(named.length).toBeGreaterThan(20);
    expect(named.flatMap(({ file, link }) => faultOf('.', link)?.replace('.', file) ?? [])).toEqual([]);
  });
});

it('the index lists every document', () => {
  const listed = [...read('docs/README.md').matchAll(/^- \[[^\]]+\]\(([\w/-]+\.md)\): \S/gm)];
  const own = documents.filter((file) => /^docs\/[\w-]+\.md$/.test(file) && file !== 'docs/README.md');
  const others = ['docs/data/terms.md', 'docs/recipes/README.md', 'docs/decisions/README.md'];
  expect(listed.map(([, file = '']) => join('docs', file)).toSorted()).toEqual(
    [...own, ...others].toSorted(),
  );
});

// test/core/process/config.test.ts holds .env.example against the schema.
it('the table of docs/configuration.md has the variables of .env.example with their defaults', () => {
  const rows = read('docs/configuration.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| (?:`(.*?)`)? \|/gm);
  const shown = [...rows].flatMap(([, names = '', value = '']) =>
    names.split(', ').map((name) => [name.replaceAll('`', ''), value]),
  );
  const lines = read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm);
  expect(shown.toSorted()).toEqual([...lines].map(([, name, value]) => [name, value]).toSorted());
});

it('the clients in the table of dialects.md have the versions that are installed', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const rows = [...read('docs/dialects.md').matchAll(/^\| ([a-z-]+) \| (\d+\.\d+\.\d+) \|/gm)];
  expect(rows.length).toBeGreaterThan(8);
  for (const [, name, version] of rows)
    expect([name, packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
});
