import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { dataFile } from '../../../core/process/project-files.js';

/** Currency codes by the names that a source uses. */
export type CodeTable = ReadonlyMap<string, string>;

/** Parses a table such as `USD US Dollar, EUR Euro`, keeping the order. Throws an Error for anything else. */
export function codeTable(text: string): CodeTable {
  return new Map(
    text.split(',').map((entry) => {
      const [, code, name] = /^\s*([A-Z]{3})\s+(\S.*?)\s*$/.exec(entry) ?? [];
      if (code === undefined || name === undefined) throw new Error(`no code and name: "${entry}"`);
      return [name, code];
    }),
  );
}

/** Reads a table from a file in `data/`: an object of codes by name. */
export function codeTableIn(file: string): CodeTable {
  const content: unknown = JSON.parse(readFileSync(dataFile(file), 'utf8'));
  return new Map(Object.entries(z.record(z.string(), z.string()).parse(content)));
}
