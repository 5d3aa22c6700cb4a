import { type Html, html } from '../../pages/shared/html.js';

export interface Column<Row> {
  label: string;
  /**
   * A clipped text takes the width that is left, and ends with an ellipsis. On a narrow screen, a state is at the right of
   * the name, choices are below all else, and what is minor is left out.
   */
  look?: 'date' | 'number' | 'clipped' | 'state' | 'number state' | 'minor' | 'number minor' | 'choices';
  of(row: Row): Html | string | false | undefined;
}

/** Without the columns that are empty in all rows. On a narrow screen, each row is a block. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: Html | string = 'None.',
): Html {
  if (rows.length === 0) return html`<p class="empty">${none}</p>`;
  const shown = filledColumns(rows, columns);
  const heads = shown.map(
    ({ label, look }) => html`<th scope="col"${look && html` class="${look}"`}>${label}</th>`,
  );
  const lines = rows.map((row) => html`<tr>${cellsOf(row, shown)}</tr>`);
  return html`<table class="stacked"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
}

export function filledColumns<Row, Of extends Column<Row>>(
  rows: readonly Row[],
  columns: readonly Of[],
): Of[] {
  return columns.filter(({ of }) => rows.some((row) => html`${of(row)}`.text !== ''));
}

/** The first cell names the row. */
export function cellsOf<Row>(row: Row, columns: readonly Column<Row>[]): Html[] {
  return columns.map(({ label, look, of }, index) => {
    const cell = of(row);
    const ofLook = look && html` class="${look}"`;
    const whole = look === 'clipped' && typeof cell === 'string' && html` title="${cell}"`;
    return index === 0
      ? html`<th scope="row"${ofLook}${whole}>${cell}</th>`
      : html`<td data-label="${label}"${ofLook}${whole}>${cell}</td>`;
  });
}

export function section(title: string, body: Html | undefined): Html {
  return html`<section class="card scroll"><h2>${title}</h2>${body}</section>`;
}
