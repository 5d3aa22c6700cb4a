import * as z from 'zod';
import { readDataFile } from '../../../core/process/project-files.js';

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
  return new Map(Object.entries(readDataFile(file, z.record(z.string(), z.string()))));
}
