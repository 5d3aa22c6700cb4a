import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Prints the size of the project beside the largest that is allowed, and fails if one of them has grown. Lower a limit with
// the change that makes it possible. A change that raises one says why in its commit message.

const read = (path) => readFileSync(path, 'utf8');
const files = (...patterns) =>
  execFileSync('git', ['ls-files', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
const linesOf = (...patterns) =>
  files(...patterns).reduce((sum, path) => sum + read(path).split('\n').length - 1, 0);
const wordsOf = (...patterns) =>
  files(...patterns).reduce((sum, path) => sum + (read(path).match(/\S+/g)?.length ?? 0), 0);

const COUNTS = [
  [
    'lines of the product, without banks',
    49_983,
    linesOf('src/**.ts', 'core/**.ts', 'worker/**.ts', ':!worker/banks'),
  ],
  ['lines of tools', 5_830, linesOf('tools/**.ts', 'tools/**.mjs')],
  ['lines of tests', 60_036, linesOf('test/**.ts', 'test/**.mjs')],
  ['words of documents, without tables in docs/data', 34_468, wordsOf('*.md', ':!docs/data')],
  ['environment variables', 45, read('.env.example').match(/^[A-Z_]+=/gm).length],
  ['entries of the root', 27, new Set(files('.').map((path) => path.split('/')[0])).size],
];

for (const [what, limit, count] of COUNTS) {
  const judgement = count > limit ? `: more than ${limit}` : count < limit ? ` (limit ${limit})` : '';
  process.stdout.write(`${count} ${what}${judgement}\n`);
  if (count > limit) process.exitCode = 1;
}
