import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

/** The project's folder, also when this runs from the build in `dist`. */
export const projectFolder = findProjectFolder();

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

function findProjectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json not found above the running code');
    folder = parent;
  }
  return folder;
}
