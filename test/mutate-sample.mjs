/**
 * Mutation testing of a sample, as all of it takes hours: of so many lines of code of a folder, drawn at random by a seed,
 * so that the same command tests the same lines. What a module does while it is loaded is left out.
 *
 *   npm run mutate:sample -- core/domain 130 14 --testFiles 'test/core/domain/**'
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

const [folder, count, seed, ...others] = process.argv.slice(2);
const lines = drawn(linesOfCode(folder), Number(count), Number(seed));
const options = ['stryker', 'run', '--ignoreStatic', '--mutate', lines.join(','), ...others];
process.exitCode = spawnSync('npx', options, { stdio: 'inherit' }).status ?? 1;

/** Every line that is no comment, no import and no closing bracket, as Stryker wants it. */
function linesOfCode(root) {
  return trackedFiles(root).flatMap((path) => {
    const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|^import [\s\S]*?;$/gm, blank);
    return text
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(\/\/.*|[\])};,]*)$/.test(line) ? [] : [`${path}:${index + 1}-${index + 1}`],
      );
  });
}

/** Without what is generated or declares types only. */
function trackedFiles(root) {
  const { stdout } = spawnSync('git', ['ls-files', root], { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => /(?<!\.d)\.ts$/.test(path));
}

/** As many lines without anything in them. */
function blank(text) {
  return text.replace(/[^\n]/g, '');
}

/** So many of them by a linear congruential generator, as `Math.random` takes no seed. */
function drawn(items, number, start) {
  let state = start;
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, number)
    .map(({ item }) => item);
}
