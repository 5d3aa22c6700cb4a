/** One measurement. */
export interface Row {
  what: string;
  measured: string;
  /** The target, empty if there is none. */
  reach: string;
  /** Whether it reaches the target; undefined if there is none. */
  ok: boolean | undefined;
}

const HEADINGS = ['what', 'measured', 'to reach', 'ok'];

/** Formats the rows as a Markdown table with aligned columns. */
export function showTable(rows: readonly Row[]): string {
  const cells = rows.map(({ what, measured, reach, ok }) => [what, measured, reach, showOk(ok)]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return `${[HEADINGS, rule, ...cells].map(line).join('\n')}\n`;
}

function showOk(ok: boolean | undefined): string {
  if (ok === undefined) return '';
  return ok ? 'yes' : 'no';
}
