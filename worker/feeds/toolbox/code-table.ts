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
