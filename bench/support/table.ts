/** One thing that was measured. */
export interface Row {
  what: string;
  measured: string;
  /** What it is meant to reach, empty where it is only shown. */
  reach: string;
  /** Undefined where there is nothing to reach. */
  ok: boolean | undefined;
}

const HEADINGS = ['what', 'measured', 'to reach', 'ok'];

/** The rows as a table in Markdown, its columns as wide as they need to be. */
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
