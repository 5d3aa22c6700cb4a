import { type Html, html } from '../../pages/shared/html.js';

interface Column<Row> {
  label: string;
  isDate?: boolean;
  of(row: Row): Html | string;
}

/** The first column names the row. On a narrow screen, each row is a block. */
export function table<Row>(
  rows: readonly Row[],
  [first, ...others]: readonly [Column<Row>, ...Column<Row>[]],
): Html {
  const heads = [first, ...others].map(({ label }) => html`<th scope="col">${label}</th>`);
  const lines = rows.map(
    (row) =>
      html`<tr><th scope="row">${first.of(row)}</th>${others.map(
        ({ label, isDate, of }) =>
          html`<td${isDate && html` class="date"`} data-label="${label}">${of(row)}</td>`,
      )}</tr>`,
  );
  return html`<table class="stacked"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
}
