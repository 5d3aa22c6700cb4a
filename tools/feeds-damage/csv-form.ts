import type { BodyForm } from './form.js';
import { isNumberText } from './values.js';

/** CSV and other text in lines: names are the cells of the first line of the table that has no number. */
export const csvForm: BodyForm = {
  same: (text) => cellsChanged(text, (cells) => cells),
  numbersChanged: (text, change) =>
    cellsChanged(text, (cells) =>
      cells.map((cell) => (isNumberText(bare(cell)) ? change(bare(cell)) : cell)),
    ),
  textsChanged: (text, change) => change(text),
  names(text) {
    const names = new Set<string>();
    cellsChanged(text, (cells, isHeading) => {
      if (isHeading) for (const cell of cells) if (bare(cell) !== '') names.add(bare(cell));
      return cells;
    });
    return [...names];
  },
  renamed: (text, names) =>
    cellsChanged(text, (cells, isHeading) =>
      isHeading ? cells.map((cell) => (names.has(bare(cell)) ? `${bare(cell)} new` : cell)) : cells,
    ),
  removed(text, names) {
    let gone = new Set<number>();
    return cellsChanged(text, (cells, isHeading, isTable) => {
      if (isHeading) gone = new Set(cells.flatMap((cell, at) => (names.has(bare(cell)) ? [at] : [])));
      return isTable ? cells.filter((_, at) => !gone.has(at)) : cells;
    });
  },
  swapped: (text, which) =>
    cellsChanged(text, (cells, isHeading, isTable) => {
      if (!isTable || (which === 'without headings' && isHeading)) return cells;
      const [first = '', second = '', ...rest] = cells;
      return which === 'without headings'
        ? [second, first, ...rest]
        : [...cells.slice(0, -2), ...cells.slice(-2).reverse()];
    }),
  inserted: (text, at) =>
    cellsChanged(text, (cells, isHeading, isTable) =>
      isTable ? cells.toSpliced(at, 0, isHeading ? 'New' : '1.2345') : cells,
    ),
  noted(text) {
    const lines = text.split('\n');
    lines.splice(Math.ceil(lines.length / 2), 0, 'Note: provisional figures');
    return lines.join('\n');
  },
  recordsChanged(text, change) {
    let first = -1;
    const places: number[] = [];
    let at = 0;
    cellsChanged(text, (cells, isHeading, isTable) => {
      if (isHeading) first = at;
      else if (isTable && first >= 0) places.push(at);
      at++;
      return cells;
    });
    const lines = text.split('\n');
    const [start = lines.length, end = lines.length - 1] = [places[0], places.at(-1)];
    const records = lines.slice(start, end + 1);
    return [...lines.slice(0, start), ...change(records), ...lines.slice(end + 1)].join('\n');
  },
};

function cellsChanged(
  text: string,
  change: (cells: string[], isHeading: boolean, isTable: boolean) => string[],
): string {
  const lines = text.split('\n');
  const separator = separatorOf(lines);
  const rows = lines.map((line) => {
    const end = line.endsWith('\r') ? '\r' : '';
    return { end, cells: split(line.slice(0, line.length - end.length), separator) };
  });
  const width = commonWidth(rows.map(({ cells }) => cells.length));
  const header = rows.findIndex(
    ({ cells }) => cells.length === width && cells.every((cell) => !isNumberText(bare(cell))),
  );
  const corner = bare(rows[header]?.cells[0] ?? '');
  return rows
    .map(
      ({ cells, end }, at) =>
        // A file may hold several tables, each under the same first heading.
        change(
          cells,
          at === header || (at > header && corner !== '' && bare(cells[0] ?? '') === corner),
          cells.length === width && width > 1,
        ).join(separator) + end,
    )
    .join('\n');
}

function separatorOf(lines: readonly string[]): string {
  const sample = lines.slice(0, 40).join('\n');
  const counts = [',', ';', '\t', '|'].map((mark) => [mark, sample.split(mark).length] as const);
  return counts.sort(([, one], [, other]) => other - one)[0]?.[0] ?? ',';
}

/** The cells as they stand, with their quotes. */
function split(line: string, separator: string): string[] {
  const cells = [''];
  let quoted = false;
  for (const character of line) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) cells.push('');
    else cells.push(`${cells.pop()}${character}`);
  }
  return cells;
}

function commonWidth(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 1;
}

function bare(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}
