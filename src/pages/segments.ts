import type { Reader } from './reader.js';
import { pathWith } from './searchable-table.js';
import { type Html, html } from './shared/html.js';

type Filter = Record<'path' | 'target' | 'name' | 'current', string>;

/** The number of lines, and what the value means. */
type Choice = readonly [value: string, label: string, count: number, meaning?: string];

/** Links that filter a list by its lines' states, from its first page on. `name` is the parameter that they set. */
export function segments({ formats, say }: Reader, filter: Filter, choices: readonly Choice[]): Html {
  const { path, target, name, current } = filter;
  const links = choices.map(
    ([value, label, count, meaning]) =>
      html`<a href="${pathWith(path, target, { [name]: value, before: '' })}" data-choice="${value}"${meaning && html` title="${meaning}"`}${value === current && html` aria-current="true"`}>${label} <span>${formats.count(count)}</span></a>`,
  );
  return html`<nav class="segments" aria-label="${say('status.column.state')}">${links}</nav>`;
}
