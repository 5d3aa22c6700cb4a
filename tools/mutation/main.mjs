// mutate [--sample FOLDER COUNT SEED] [Stryker's options]
//
// Mutation testing: plausible small bugs are put into the code, one at a time, and a test has to fail for each. All of it
// takes hours. --mutate 'core/domain/**' takes a folder, and --sample a number of its lines, drawn at random by a seed, so
// that the same command tests the same lines; what a module does while it is loaded is then left out.
//
//   npm run tool -- mutate --mutate 'core/domain/**/*.ts' --testFiles 'test/core/domain/**/*.test.ts'
//   npm run tool -- mutate --sample core/domain 130 14 --testFiles 'test/core/domain/**'
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

const CONFIG = 'tools/mutation/stryker.config.mjs';

const given = process.argv.slice(2);
const options = given[0] === '--sample' ? sampled(...given.slice(1)) : given;
const command = ['stryker', 'run', CONFIG, ...options];
process.exitCode = spawnSync('npx', command, { stdio: 'inherit' }).status ?? 1;

function sampled(folder, count, seed, ...others) {
  const lines = drawn(linesOfCode(folder), Number(count), Number(seed));
  return ['--ignoreStatic', '--mutate', lines.join(','), ...others];
}

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

/** Without what is generated, runs in a browser or declares types only. */
function trackedFiles(root) {
  const { stdout } = spawnSync('git', ['ls-files', root], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((path) => /(?<!\.d)\.ts$/.test(path) && !path.startsWith('src/pages/browser/'));
}

function blank(text) {
  return text.replace(/[^\n]/g, '');
}

/** Draws some of them by a linear congruential generator, as `Math.random` takes no seed. */
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
