// The arrows between folders that docs/architecture.md draws. `npm run check` fails on an import against them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Which other rooms of the same folder a room may import. One that is not listed imports none. */
const ROOMS = {
  core: {
    concurrency: [],
    domain: ['process/project-files.ts'],
    columns: ['concurrency', 'domain'],
    process: [],
    sources: ['domain', 'process'],
    'http-client': ['domain', 'process/tls-codes.ts'],
    publication: ['columns', 'concurrency', 'domain', 'http-client', 'process'],
    database: ['columns', 'concurrency', 'domain', 'process'],
    queues: ['concurrency', 'database', 'domain', 'process'],
    start: ['concurrency', 'database', 'domain', 'process'],
  },
  'src/rates': {
    snapshot: [],
    encoding: ['snapshot/row.ts'],
    sources: ['snapshot'],
    published: ['sources', 'snapshot'],
    history: ['sources', 'snapshot'],
    v1: ['sources', 'snapshot'],
    engine: ['sources', 'snapshot', 'history', 'encoding'],
    lines: ['engine', 'snapshot', 'encoding'],
    receipts: ['engine', 'sources', 'snapshot'],
    rules: ['engine', 'snapshot', 'encoding', 'lines'],
    dialects: ['rates.ts', 'engine', 'snapshot'],
    sdmx: ['rates.ts', 'engine', 'snapshot', 'sources', 'history', 'encoding'],
    convert: ['engine', 'sources', 'lines', 'receipts', 'rules'],
    routes: [
      'rates.ts',
      'engine',
      'sources',
      'snapshot',
      'receipts',
      'encoding',
      'lines',
      'convert',
      'v1',
      'rules',
    ],
  },
  worker: {
    banks: ['feeds/feed.ts', 'feeds/http/client.ts', 'feeds/toolbox'],
    blend: [],
    feeds: [],
    ingest: ['blend', 'feeds'],
    import: ['blend', 'feeds'],
    jobs: ['backup', 'blend', 'feeds', 'ingest', 'publish'],
    publish: [],
    cli: ['backup', 'blend', 'feeds', 'import', 'ingest', 'publish'],
  },
  'worker/feeds': {
    toolbox: ['feed.ts', 'feed-error.ts', 'http'],
    http: ['feed-error.ts'],
  },
};

/** What all features of the API share. The other folders of src are features, and its other files compose them. */
const SHARED = ['http', 'parameters', 'formats', 'openapi', 'relay', 'catalogue', 'cache'].map(
  (folder) => `src/${folder}`,
);

/** Composes what features make of tasks, as src/app.ts does their routes. */
const RENDERING = 'src/rendering';

const FEATURES = foldersOf('src').filter((folder) => ![...SHARED, RENDERING].includes(folder));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid('no-circle-of-files', 'Two files that import each other are one file, or need a third.', {
      to: { circular: true },
    }),
    forbid('no-circle-of-folders', 'Arrows between folders go one way.', {
      scope: 'folder',
      to: { circular: true },
    }),
    forbid('every-import-is-found', 'An import that is not found is not checked either.', {
      to: { couldNotResolve: true },
    }),
    forbid('no-development-packages', 'What runs in production is a dependency, not a devDependency.', {
      // What is bundled for browsers is part of the build.
      from: { path: '^(core|src|worker)/', pathNot: '^src/pages/(browser/|build\\.mjs$)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'], pathNot: 'node_modules/@types/' },
    }),

    // The sides. So none of them imports tools or tests.
    only('core', []),
    only('src', ['core']),
    only('worker', ['core']),
    only('prisma', []),

    ...Object.entries(ROOMS).flatMap(([folder, rooms]) =>
      foldersOf(folder).map((room) => {
        const listed = rooms[room.slice(folder.length + 1)] ?? [];
        return only(
          room,
          listed.map((path) => `${folder}/${path}`),
          folder,
        );
      }),
    ),
    forbid('database-libraries-only-in-core-database', 'pg, Prisma and SQL live in core/database.', {
      from: { path: '^(core|src|worker)/', pathNot: '^core/database/' },
      to: {
        path: [
          'node_modules/(@types/)?pg(-copy-streams|-pool)?/',
          'node_modules/@?prisma/',
          '^core/database/generated/',
        ],
      },
    }),

    // The API.
    ...FEATURES.map((feature) =>
      forbid(
        'no-cross-feature-imports',
        'A feature declares what it needs, and src/app.ts composes. Only the console is made of parts of the public pages.',
        {
          from: { path: startsWith([feature]) },
          to: {
            path: startsWith([...FEATURES, RENDERING]),
            pathNot: startsWith([feature, ...(feature === 'src/operations' ? ['src/pages'] : [])]),
          },
        },
      ),
    ),
    forbid('shared-code-knows-no-feature', 'What all features share knows none of them.', {
      from: { path: startsWith(SHARED) },
      to: { path: startsWith([...FEATURES, RENDERING]) },
    }),
    forbid('features-do-not-compose', 'Only src/app.ts and what starts it put features together.', {
      from: { path: startsWith([...FEATURES, ...SHARED]) },
      to: { path: '^src/[^/]+\\.ts$', pathNot: startsWith(SHARED) },
    }),
    forbid('browser-code-runs-without-node', 'What is bundled for browsers imports what runs there alone.', {
      from: { path: '^src/pages/(browser|shared)/' },
      to: {
        path: '^(core|src)/',
        pathNot: '^(src/pages/(browser|shared|messages)/|core/domain/(dates|rounding)\\.ts$)',
      },
    }),
    forbid('pages-reach-browser-code-by-its-address', 'The server knows the bundles, not what is in them.', {
      from: { path: '^src/', pathNot: '^src/pages/browser/' },
      to: { path: '^src/pages/browser/' },
    }),

    // The worker.
    // That a bank takes only types of the HTTP client is checked by banks-import-types-of-http.grit beside this.
    forbid('banks-know-little-of-core', 'A bank knows the domain and the types of the HTTP client.', {
      from: { path: '^worker/banks/' },
      to: { path: '^core/', pathNot: '^core/(domain|http-client)/' },
    }),
    // The monthly rates of a bank may be read like its daily ones.
    forbid('a-bank-knows-no-other-bank', 'What two banks share belongs in worker/feeds/toolbox.', {
      from: { path: '^worker/banks/([^/]+?)(?:month)?\\.ts$' },
      to: { path: '^worker/banks/', pathNot: '^worker/banks/$1(?:month)?\\.ts$' },
    }),
    forbid('the-command-line-is-an-end', 'Nothing of the product imports the command line.', {
      from: { pathNot: '^(worker/cli|tools|test)/' },
      to: { path: '^worker/cli/' },
    }),
  ],
  options: {
    // Reads TypeScript 7, whose compiler has no interface for this.
    parser: 'swc',
    tsPreCompilationDeps: true,
    exclude: { path: '^core/database/generated/.*/(internal|models)/' },
    doNotFollow: { path: ['node_modules', '^core/database/generated/'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

function foldersOf(folder) {
  return readdirSync(join(PROJECT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`);
}

function forbid(name, comment, { from = {}, ...rule }) {
  return { name, comment, severity: 'error', from, ...rule };
}

/** Of the files within a folder (by default all of the project's), a room imports only its own and the ones listed. */
function only(room, listed, within = undefined) {
  return forbid(
    `${room.replaceAll('/', '-')}-imports-only-what-it-may`,
    listed.length > 0 ? `${room} may import ${listed.join(', ')}.` : `${room} imports no other room.`,
    {
      from: { path: startsWith([room]) },
      to: {
        ...(within ? { path: startsWith([within]) } : { dependencyTypes: ['local'] }),
        pathNot: startsWith([room, ...listed]),
      },
    },
  );
}

function startsWith(paths) {
  const escaped = paths.map((path) => path.replaceAll('.', '\\.') + (path.endsWith('.ts') ? '$' : '/'));
  return `^(${escaped.join('|')})`;
}
