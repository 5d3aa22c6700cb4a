import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dataFile } from '../../../core/process/project-files.js';

/** The code of each currency by what a source calls it. */
export type CodeTable = ReadonlyMap<string, string>;

/**
 * Reads a table such as `USD US Dollar, EUR Euro`: each entry a code and the source's name, which holds no comma.
 * It keeps their order. Throws an Error where an entry is something else: it is part of a feed's own text.
 */
export function codeTable(text: string): CodeTable {
  return new Map(
    text.split(',').map((entry) => {
      const [, code, name] = /^\s*([A-Z]{3})\s+(\S.*?)\s*$/.exec(entry) ?? [];
      if (code === undefined || name === undefined) throw new Error(`no code and name: "${entry}"`);
      return [name, code];
    }),
  );
}

/** The table in a file of `data/`: an object of codes by name. */
export function codeTableIn(file: string): CodeTable {
  const content: unknown = JSON.parse(readFileSync(dataFile(file), 'utf8'));
  return new Map(Object.entries(z.record(z.string(), z.string()).parse(content)));
}
