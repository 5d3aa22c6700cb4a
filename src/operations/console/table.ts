import { HttpError } from '../../http/errors.js';
import { pathWith } from '../../pages/searchable-table.js';
import { type Html, html } from '../../pages/shared/html.js';

export interface Column<Row> {
  label: string;
  /**
   * A clipped text takes the width that is left, and ends with an ellipsis. On a narrow screen, a state is at the right of
   * the name, choices are below all else, and what is minor is left out.
   */
  look?: 'date' | 'number' | 'clipped' | 'state' | 'number state' | 'minor' | 'number minor' | 'choices';
  of(row: Row): Html | string | false | null | undefined;
}

/** Without the columns that are empty in all rows. On a narrow screen, each row is a block. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  none: Html | string = 'None.',
): Html {
  if (rows.length === 0) return html`<p class="empty">${none}</p>`;
  const shown = columns.filter(({ of }) => rows.some((row) => html`${of(row)}`.text !== ''));
  const heads = shown.map(
    ({ label, look }) => html`<th scope="col"${look && html` class="${look}"`}>${label}</th>`,
  );
  const lines = rows.map((row) => html`<tr>${cellsOf(row, shown)}</tr>`);
  return html`<table class="stacked"><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>`;
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

/** A short state. Its look is a class. */
export function chip(text: string, look = ''): Html {
  return html`<span class="chip ${look}">${text}</span>`;
}

export const PAGE_LENGTH = 50;

/** The ID before which the page of a list ends; undefined for the newest. Throws an HttpError 422. */
export function beforeOf(query: URLSearchParams, what: string): string | undefined {
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !/^\d{1,18}$/.test(before))
    throw new HttpError(422, `before must be the id of ${what}`);
  return before;
}

/** `kept` has fields that other controls set. */
export function searchForm(label: string, name: string, value: string, kept?: Html): Html {
  return html`<form class="filters" method="get" role="search">
<label><span class="visually-hidden">${label}</span> <input name="${name}" type="search" value="${value}" placeholder="${label}"></label>
${kept}<button class="primary">Search</button></form>`;
}

/** Links to the newest page and to the next one, with the same filter. */
export function pager(path: string, query: URLSearchParams, shown: readonly { id: string }[]): Html {
  const link = (label: string, before: string) =>
    html`<a class="button quiet" href="${pathWith(path, `?${query}`, { before })}">${label}</a>`;
  const last = shown.length === PAGE_LENGTH ? shown.at(-1) : undefined;
  return html`<p class="acts">${query.has('before') && link('Newest', '')}${last && link('Older', last.id)}</p>`;
}
