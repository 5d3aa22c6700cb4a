// licences [FOLDER]
//
// Fails where a package's licence is not on the list in tools/supply-chain/licences.mjs. Reads the lock file, which names the
// packages of every system, also of those that are not installed here.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of packages that the service runs: notices have to be kept, and nothing more. */
const RUNNING = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);
/** Of packages that only build or test it: they are not passed on with the service. */
const DEVELOPMENT = new Set([
  ...RUNNING,
  'CC-BY-4.0',
  'CC0-1.0',
  'EPL-2.0',
  'MPL-2.0',
  '(AFL-2.1 OR BSD-3-Clause)',
  '(MIT OR CC0-1.0)',
  'Python-2.0',
  'Unlicense',
]);

/** Of packages whose package.json has none, but whose files do. */
const IN_FILES = new Map([
  ['node_modules/humanize-number', 'MIT'],
  ['node_modules/money', 'MIT'],
  ['node_modules/only', 'MIT'],
]);

const folder = process.argv[2] ?? '.';
const { packages } = readJson(join(folder, 'package-lock.json'));
const refused = [];
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.link) continue;
  const licence = licenceOf(path, entry);
  const isDevelopment = entry.dev === true || entry.devOptional === true;
  if (!isAllowed(licence, isDevelopment ? DEVELOPMENT : RUNNING)) {
    refused.push(`${path}: ${licence ?? 'no licence'}${isDevelopment ? ' (development)' : ''}`);
  }
}
if (refused.length > 0) {
  process.stderr.write(
    `licences that are not allowed (tools/supply-chain/licences.mjs):\n${refused.join('\n')}\n`,
  );
  process.exitCode = 1;
} else {
  process.stdout.write(`the licences of ${Object.keys(packages).length - 1} packages are allowed\n`);
}

/** The SPDX expression of a package. Old packages have a list of licences, which the lock file leaves out. */
function licenceOf(path, { license }) {
  if (typeof license === 'string') return license;
  const { licenses } = readJson(join(folder, path, 'package.json')) ?? {};
  return Array.isArray(licenses) ? licenses.map(({ type }) => type).join(' OR ') : IN_FILES.get(path);
}

/** Expressions with parentheses are for a person to look at: they are allowed as they stand on the list. */
function isAllowed(expression, allowed) {
  if (!expression) return false;
  if (allowed.has(expression)) return true;
  return expression
    .split(/ or /i)
    .some((alternative) => alternative.split(/ and /i).every((licence) => allowed.has(licence.trim())));
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // A package for another system is not installed.
    if (error.code === 'ENOENT' && path.includes('node_modules')) return undefined;
    throw error;
  }
}
