import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Runs the steps, in order, whose inputs (files and folders) have other names or contents than when they last ran, or whose
 * output is missing. Keeps the hash of each step's inputs in `stamps`. Throws what a step throws; that step runs again the next
 * time. Returns whether any step ran.
 */
export async function buildChanged(steps, stamps, onStep = () => {}) {
  const built = readStamps(stamps);
  let hasRun = false;
  for (const { name, inputs, output, run } of steps) {
    const hash = hashOf(inputs);
    if (built[name] === hash && existsSync(output)) continue;
    // A step that fails may leave the outputs of different inputs.
    writeStamps(stamps, { ...built, [name]: undefined });
    onStep(name);
    await run();
    built[name] = hash;
    writeStamps(stamps, built);
    hasRun = true;
  }
  return hasRun;
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap(filesOf)) {
    const content = readFileSync(path);
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Sorted. An input that does not exist has none: an image is built without some of the tools. */
function filesOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

/** None if the file is missing or incomplete. */
function readStamps(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Replaces the file as a whole, as two programs may be built at once. */
function writeStamps(file, stamps) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(stamps));
  renameSync(`${file}.${process.pid}`, file);
}
