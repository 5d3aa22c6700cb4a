import { execFileSync } from 'node:child_process';

// Fails on phrases that a reader of technical English stumbles over: docs/development.md says how we write.

const PHRASES = ['told', 'who has', 'so many', 'lest', "can't be told", 'whoever', 'of whom', 'for whom'];
/** Migrations that have run must not change, and this file lists the phrases. */
const EXCEPT = [
  ':!prisma/migrations',
  ':!tools/lint/phrases.mjs',
  ':!docs/development.md',
  ':!*.json',
  ':!data',
];

const words = PHRASES.flatMap((phrase) => ['-e', phrase]);
const options = ['--line-number', '--ignore-case', '--word-regexp', '--fixed-strings', '-I'];
try {
  process.stdout.write(
    execFileSync('git', ['grep', ...options, ...words, '--', '.', ...EXCEPT], { encoding: 'utf8' }),
  );
  process.exitCode = 1;
} catch (error) {
  // `git grep` exits with 1 if it finds nothing.
  if (error.status !== 1) throw error;
}
