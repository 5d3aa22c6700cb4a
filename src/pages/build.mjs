// Bundles the styles and scripts of the pages into dist/assets. Their names contain a hash of their content, each file is also
// compressed in advance, and a manifest lists them. Part of `npm run build`.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { parse } from '@formatjs/icu-messageformat-parser';
import { build } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));
const sources = fileURLToPath(new URL('browser', import.meta.url));
const messages = fileURLToPath(new URL('messages', import.meta.url));
const target = join(project, 'dist', 'assets');
const SCRIPTS = ['home', 'listing', 'converter', 'chart', 'reference', 'console'];
const ENTRIES = [
  ...SCRIPTS.map((name) => `${name}.ts`),
  'style.css',
  'style/console.css',
  'icon.svg',
  'favicon.ico',
  'share.png',
];

const brotli = (body) =>
  promisify(brotliCompress)(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });

const PARSER = '@formatjs/icu-messageformat-parser';

/** Of pages that only the server writes. A mean is also part of the converter. */
const SERVER_ONLY = /^(reference|rules(?!\.mean))\./;

/** Leaves out what no script says, and parses messages with arguments, so that browsers need no parser. */
const parsedMessages = {
  name: 'parsed-messages',
  setup({ onLoad }) {
    onLoad({ filter: /messages\/\w+\.json$/ }, async ({ path }) => {
      const texts = Object.entries(JSON.parse(await readFile(path, 'utf8')));
      const said = texts.filter(([key]) => !SERVER_ONLY.test(key));
      const parsed = said.map(([key, text]) => [key, text.includes('{') ? parse(text) : text]);
      return { contents: JSON.stringify(Object.fromEntries(parsed)), loader: 'json' };
    });
  },
};

/** Writes all files, the manifest last, and removes those of an earlier build. */
export async function buildAssets() {
  await mkdir(target, { recursive: true });
  const manifest = await bundle();
  await write(join(target, 'manifest.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const kept = new Set(Object.values(manifest).flatMap(({ file, imports }) => [file, ...imports]));
  const isStale = (name) => name !== 'manifest.json' && !kept.has(name.replace(/\.(br|gz)$/, ''));
  for (const name of (await readdir(target)).filter(isStale)) await rm(join(target, name), { force: true });
}

/** By entry: the names of its file and of the files that it imports. */
async function bundle() {
  const { metafile, outputFiles } = await build({
    entryPoints: [
      ...ENTRIES.map((name) => join(sources, name)),
      ...(await readdir(messages)).map((name) => join(messages, name)),
    ],
    outbase: sources,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    outdir: target,
    absWorkingDir: project,
    entryNames: '[name]-[hash]',
    chunkNames: 'shared-[hash]',
    alias: { [PARSER]: `${PARSER}/no-parser.js` },
    plugins: [parsedMessages],
    loader: { '.svg': 'copy', '.ico': 'copy', '.png': 'copy' },
    legalComments: 'inline',
    metafile: true,
    write: false,
  });
  await checkMessages(Object.keys(metafile.inputs));
  for (const { path, contents } of outputFiles) await writeCompressed(path, contents, await brotli(contents));
  const nameOf = (path) => relative(target, join(project, path));
  const importsOf = (path) =>
    metafile.outputs[path].imports.flatMap((one) => [nameOf(one.path), ...importsOf(one.path)]);
  const nameOfEntry = (path) =>
    path.startsWith(messages) ? `messages/${relative(messages, path)}` : relative(sources, path);
  return Object.fromEntries(
    Object.entries(metafile.outputs)
      .filter(([, { entryPoint }]) => entryPoint)
      .map(([path, { entryPoint }]) => [
        nameOfEntry(join(project, entryPoint)),
        { file: nameOf(path), imports: [...new Set(importsOf(path))] },
      ]),
  );
}

/** Throws if a script says a message that browsers do not get. */
async function checkMessages(inputs) {
  for (const path of inputs.filter((name) => name.startsWith('src/pages/') && name.endsWith('.ts'))) {
    const texts = (await readFile(join(project, path), 'utf8')).matchAll(/['`](\w+\.[\w.]+)/g);
    for (const [, key] of texts)
      if (SERVER_ONLY.test(key))
        throw new Error(`${path} says ${key}, which only the server has: see SERVER_ONLY`);
  }
}

async function writeCompressed(path, body, brotliBody) {
  await write(path, body);
  await write(`${path}.br`, brotliBody);
  await write(`${path}.gz`, await promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }));
}

/** Replaces a file atomically, as tests may build while other tests read. */
async function write(path, body) {
  const written = `${path}.${process.pid}`;
  await writeFile(written, body);
  await rename(written, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAssets();
