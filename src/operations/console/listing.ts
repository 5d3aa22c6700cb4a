import { HttpError } from '../../http/errors.js';
import { pathWith } from '../../pages/searchable-table.js';
import { type Html, html } from '../../pages/shared/html.js';

export const PAGE_LENGTH = 50;

/** The ID before which the page of a list ends; undefined for the newest. Throws an HttpError 422. */
export function beforeOf(query: URLSearchParams, what: string): string | undefined {
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !/^\d{1,18}$/.test(before))
    throw new HttpError(422, `before must be the id of ${what}`);
  return before;
}

interface Filters {
  label: string;
  name: string;
  current: string;
  /** The labels of the values. */
  options: Readonly<Record<string, string>>;
  search: { label: string; name: string; value: string; placeholder: string };
}

export function filterForm({ label, name, current, options, search }: Filters): Html {
  const choices = Object.entries(options).map(
    ([value, text]) => html`<option value="${value}"${value === current && html` selected`}>${text}</option>`,
  );
  return html`<form class="filters" method="get" role="search">
<label>${label} <select name="${name}">${choices}</select></label>
<label>${search.label} <input name="${search.name}" type="search" value="${search.value}" placeholder="${search.placeholder}"></label>
<button class="primary">Show</button></form>`;
}

/** Links to the newest page and to the next one, with the same filter. */
export function pager(path: string, query: URLSearchParams, shown: readonly { id: string }[]): Html {
  const link = (label: string, before: string) =>
    html`<a class="button quiet" href="${pathWith(path, `?${query}`, { before })}">${label}</a>`;
  const last = shown.length === PAGE_LENGTH ? shown.at(-1) : undefined;
  return html`<p class="acts">${query.has('before') && link('Newest', '')}${last && link('Older', last.id)}</p>`;
}
