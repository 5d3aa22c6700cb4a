import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';

/** The project's folder, also when this runs from the build in `dist`. */
export const projectFolder = folderAbove('package.json');

/** The project's folder, or the build's. */
const codeFolder = folderAbove('worker/banks');

export function dataFile(name: string): string {
  return join(projectFolder, 'data', name);
}

/** The content of a JSON file in `data/`. Throws if it does not match the schema. */
export function readDataFile<T extends z.ZodType>(name: string, schema: T): z.output<T> {
  return schema.parse(JSON.parse(readFileSync(dataFile(name), 'utf8')));
}

export const shippedRatesFolder = dataFile('rates');

const manifest: { version: string; homepage: string } = JSON.parse(
  readFileSync(join(projectFolder, 'package.json'), 'utf8'),
);

export const softwareVersion = manifest.version;

export const homepage = manifest.homepage;

/** A file of the code, by its path in the project or the build. */
export function codeFile(path: string): string {
  return join(codeFolder, path);
}

/** The closest folder above the running code that contains a path. */
function folderAbove(path: string, folder = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(folder, path))) return folder;
  if (folder === dirname(folder)) throw new Error(`${path} not found above the running code`);
  return folderAbove(path, dirname(folder));
}
