// The arrows between folders that docs/architecture.md draws. `npm run check` fails on an import against them.

const CAPABILITIES =
  'address|bus|currencies|discovery|hangman|mcp|operations|pages|providers|rates|refusal|revisions|suspects|translate|weather';

const FOLDERS = ['core', 'src', 'worker', 'start', 'bench', 'rehearse', 'test'];

/** What all capabilities of the API share. Only the composition (src/*.ts but these files) may know a capability. */
const SHARED = '^src/((http|relay|catalogue)/|(context|local-copy|refreshing-holder|shared-cache)\\.ts$)';

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
      from: { path: '^(core|src|worker|start)/', pathNot: '^src/pages/(browser/|build\\.mjs$)' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm'], pathNot: 'node_modules/@types/' },
    }),

    // The sides.
    only('core', []),
    only('src', ['core']),
    only('worker', ['core']),
    only('start', ['core']),

    // The rooms of core.
    only('core/concurrency', [], 'core'),
    only('core/domain', ['core/process/project-files.ts'], 'core'),
    only('core/process', ['core/concurrency', 'core/domain'], 'core'),
    only('core/sources', ['core/domain', 'core/process'], 'core'),
    only('core/http-client', ['core/concurrency', 'core/domain', 'core/process'], 'core'),
    only('core/database', ['core/concurrency', 'core/domain', 'core/process'], 'core'),
    only('core/queues', ['core/concurrency', 'core/database', 'core/domain', 'core/process'], 'core'),
    forbid('database-libraries-only-in-core-database', 'pg, Prisma and SQL live in core/database.', {
      from: { path: '^(core|src|worker|start)/', pathNot: '^core/database/' },
      to: {
        path: [
          'node_modules/(@types/)?pg(-copy-streams|-pool)?/',
          'node_modules/@?prisma/',
          '^core/database/generated/',
        ],
      },
    }),

    // The API.
    forbid('capabilities-are-strangers', 'A capability declares what it needs, and src/app.ts composes.', {
      from: { path: `^src/(${CAPABILITIES})/` },
      to: { path: `^src/(${CAPABILITIES})/`, pathNot: '^src/$1/' },
    }),
    forbid('shared-code-knows-no-capability', 'What all capabilities share knows none of them.', {
      from: { path: SHARED },
      to: { path: `^src/(${CAPABILITIES})/` },
    }),
    forbid('capabilities-do-not-compose', 'Only src/app.ts and what starts it put capabilities together.', {
      from: { path: `^src/(${CAPABILITIES})/|${SHARED}` },
      to: { path: '^src/[^/]+\\.ts$', pathNot: SHARED },
    }),
    forbid('browser-code-runs-without-node', 'What is bundled for browsers imports what runs there alone.', {
      from: { path: '^src/pages/(browser|shared)/' },
      to: { path: '^(core|src)/', pathNot: '^(src/pages/(browser|shared)/|core/domain/rounding\\.ts$)' },
    }),
    forbid('pages-reach-browser-code-by-its-address', 'The server knows the bundles, not what is in them.', {
      from: { path: '^src/', pathNot: '^src/pages/browser/' },
      to: { path: '^src/pages/browser/' },
    }),
    only('src/rates/snapshot', [], 'src/rates'),
    only('src/rates/encoding', ['src/rates/snapshot/row.ts'], 'src/rates'),
    only('src/rates/sources', ['src/rates/snapshot'], 'src/rates'),
    only('src/rates/history', ['src/rates/sources', 'src/rates/snapshot'], 'src/rates'),
    only('src/rates/receipts', ['src/rates/sources', 'src/rates/snapshot'], 'src/rates'),
    only('src/rates/convert', ['src/rates/encoding'], 'src/rates'),
    only('src/rates/v1', ['src/rates/sources', 'src/rates/snapshot'], 'src/rates'),
    only(
      'src/rates/engine',
      [
        'src/rates/sources',
        'src/rates/snapshot',
        'src/rates/history',
        'src/rates/encoding',
        'src/rates/convert',
      ],
      'src/rates',
    ),
    only(
      'src/rates/routes',
      [
        'src/rates/engine',
        'src/rates/sources',
        'src/rates/snapshot',
        'src/rates/receipts',
        'src/rates/encoding',
        'src/rates/convert',
        'src/rates/v1',
      ],
      'src/rates',
    ),

    // The worker.
    // That a bank takes only types of the HTTP client is checked by lint/banks-import-types-of-http.grit.
    only('worker/banks', [
      'core/domain',
      'core/http-client',
      'worker/feeds/feed.ts',
      'worker/feeds/http/client.ts',
      'worker/feeds/toolbox',
    ]),
    forbid('a-bank-knows-no-other-bank', 'What two banks share belongs in worker/feeds/toolbox.', {
      from: { path: '^worker/banks/([^/]+)\\.ts$' },
      to: { path: '^worker/banks/', pathNot: '^worker/banks/$1\\.ts$' },
    }),
    only(
      'worker/feeds/toolbox',
      ['worker/feeds/feed.ts', 'worker/feeds/feed-error.ts', 'worker/feeds/http'],
      'worker',
    ),
    only('worker/feeds', ['worker/banks'], 'worker'),
    only('worker/blend', [], 'worker'),
    only('worker/truth', [], 'worker'),
    only('worker/ingest', ['worker/blend', 'worker/feeds'], 'worker'),
    only('worker/import', ['worker/blend', 'worker/feeds', 'worker/ingest'], 'worker'),
    only('worker/backup', [], 'worker'),
    only('worker/jobs', ['worker/backup', 'worker/blend', 'worker/feeds', 'worker/ingest'], 'worker'),
    forbid('the-command-line-is-an-end', 'Nothing imports the command line.', {
      from: { pathNot: '^(worker/cli|bench|rehearse|test)/' },
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

function forbid(name, comment, { from = {}, ...rule }) {
  return { name, comment, severity: 'error', from, ...rule };
}

/** Of the files in the folders `within` (by default all), a room imports only its own and the ones listed. */
function only(room, listed, within = undefined) {
  const allowed = [room, ...listed];
  return forbid(
    `${room.replaceAll('/', '-')}-imports-only-what-it-may`,
    listed.length > 0 ? `${room} may import ${listed.join(', ')}.` : `${room} imports no other room.`,
    {
      from: { path: startsWith([room]) },
      to: {
        path: startsWith(within ? [within] : FOLDERS),
        pathNot: startsWith(allowed),
      },
    },
  );
}

function startsWith(paths) {
  const escaped = paths.map((path) => path.replaceAll('.', '\\.') + (path.endsWith('.ts') ? '$' : '/'));
  return `^(${escaped.join('|')})`;
}
