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
