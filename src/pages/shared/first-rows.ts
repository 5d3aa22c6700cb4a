/** One row per line, with a mark if there are more. */
export function firstRows(rows: readonly string[], most: number): string {
  const shown = [...rows.slice(0, most), ...(rows.length > most ? ['…'] : [])];
  return `[${shown.join(',\n ')}]`;
}
