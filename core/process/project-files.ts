import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, whether this runs from source or from the build under `dist`. */
export const projectFolder = findProjectFolder();

/** Path of a file that ships in `data/`. */
export function dataFile(name: string): string {
  return join(projectFolder, 'data', name);
}

/** The rates that an empty database is filled with. */
export const firstRatesFile = dataFile('bootstrap.csv.gz');

function findProjectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json not found above the running code');
    folder = parent;
  }
  return folder;
}
