// Bundles the programs into a folder, by default dist, as loading each module by itself takes most of a start. Entries, with
// those that are added to the folder as words, keep their paths. Types are checked by `npm run check`.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const PROGRAMS = ['core/start/main', 'src/main', 'worker/main', 'worker/cli/main', 'tools/main'];
/** Threads, child processes and the module that completes PostgreSQL's package in an image. */
const BY_PATH = [
  ...['src/rates/published/reading-thread', 'src/rates/snapshot/blends-thread'],
  ...[
    'src/rendering/render-thread',
    'worker/feeds/reading-thread',
    'core/database/embedded-postgres/binaries',
  ],
  ...['tools/attack/event-loop-probe', 'tools/attack/monitor-process', 'tools/programs/probe'],
  ...['tools/bench/support/baseline', 'tools/bench/support/load', 'tools/bench/support/publisher'],
];
const BANKS = readdirSync('worker/banks').map((name) => `worker/banks/${name}`);
/** Packages that find files by path or start threads, and those whose classes these use. */
const EXTERNAL = [
  ...['@bull-board/*', '@prisma/client', 'bullmq', 'embedded-postgres', 'fs-native-extensions'],
  ...['ioredis', 'pdfjs-dist', 'pino-pretty', 'piscina'],
];

const [outdir = 'dist', ...more] = process.argv.slice(2);
await build({
  // An image is built without most tools.
  entryPoints: [...[...PROGRAMS, ...BY_PATH].map((path) => `${path}.ts`), ...BANKS, ...more].filter(
    existsSync,
  ),
  outbase: '.',
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // As of Node 21. Without it, pg loads the parts of Node for `fetch` to find out where it runs.
  define: { navigator: '{"userAgent":"Node.js"}' },
  external: EXTERNAL,
  chunkNames: 'chunks/[hash]',
  sourcemap: true,
  // Otherwise, reading a map takes longer than reading its module.
  sourcesContent: false,
  minifyWhitespace: true,
  // For packages in CommonJS.
  banner: {
    js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
  },
});
await cp('src/pages/messages', join(outdir, 'src/pages/messages'), { recursive: true });
// A program that still runs may load chunks of an earlier build, for a day.
const chunks = readdirSync(join(outdir, 'chunks')).map((name) => join(outdir, 'chunks', name));
for (const chunk of chunks) if (statSync(chunk).mtimeMs < Date.now() - 86_400_000) rmSync(chunk);
