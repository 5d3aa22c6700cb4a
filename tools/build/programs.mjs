// Bundles the programs into a folder, by default dist, as loading each module by itself takes most of a start. Entries, with
// those that are added to the folder as words, keep their paths. Types are checked by `npm run check`.
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const ENTRIES = [
  ...['core/start/main', 'src/main', 'worker/main', 'worker/cli/main', 'tools/main'],
  // Threads.
  ...['src/rates/thread', 'src/rendering/render-thread', 'worker/feeds/reading-thread'],
  // Child processes of tools, and what these load.
  ...['tools/attack/event-loop-probe', 'tools/attack/monitor-process', 'tools/programs/probe'],
  ...['tools/bench/support/baseline', 'tools/bench/support/load', 'tools/bench/support/publisher'],
  // An image completes PostgreSQL's package by it.
  'core/database/embedded-postgres/binaries',
].map((path) => `${path}.ts`);
const BANKS = readdirSync('worker/banks').map((name) => `worker/banks/${name}`);
/** Packages that find files by path or start threads, and those whose classes these use. */
const EXTERNAL = [
  ...['@bull-board/*', '@prisma/client', 'bullmq', 'embedded-postgres', 'fs-native-extensions'],
  ...['ioredis', 'pdfjs-dist', 'pino-pretty', 'piscina'],
];

const [outdir = 'dist', ...more] = process.argv.slice(2);
// An image is built without them.
const hasTools = existsSync('tools/main.ts');
await build({
  entryPoints: [...ENTRIES, ...BANKS, ...more].filter((path) => hasTools || !path.startsWith('tools/')),
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
const messages = join(outdir, 'src/pages/messages');
rmSync(messages, { recursive: true, force: true });
cpSync('src/pages/messages', messages, { recursive: true });
// A program that still runs may load chunks of an earlier build, for a day.
const chunks = readdirSync(join(outdir, 'chunks')).map((name) => join(outdir, 'chunks', name));
for (const chunk of chunks) if (statSync(chunk).mtimeMs < Date.now() - 86_400_000) rmSync(chunk);
