/** The first of the rows of a JSON array, each on a line of its own, with a mark where there are more. */
export function firstRows(rows: readonly string[], most: number): string {
  const shown = [...rows.slice(0, most), ...(rows.length > most ? ['…'] : [])];
  return `[${shown.join(',\n ')}]`;
}
