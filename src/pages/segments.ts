import type { Reader } from './reader.js';
import { pathWith } from './searchable-table.js';
import { type Html, html } from './shared/html.js';

/** `name` is the parameter that the links set, and `current` its value. */
interface Filter extends Record<'path' | 'target' | 'name' | 'current', string> {
  label?: string;
}

/** Perhaps with the number of lines, and with what the value means. */
type Choice = readonly [value: string, label: string, count?: number | undefined, meaning?: string];

/** Links that filter a list, by the state of its lines unless the label says otherwise, from its first page on. */
export function segments({ formats, say }: Reader, filter: Filter, choices: readonly Choice[]): Html {
  const { path, target, name, current, label: about = say('status.column.state') } = filter;
  const links = choices.map(
    ([value, label, count, meaning]) =>
      html`<a href="${pathWith(path, target, { [name]: value, before: '' })}" data-choice="${value}"${meaning && html` title="${meaning}"`}${value === current && html` aria-current="true"`}>${label}${count !== undefined && html` <span>${formats.count(count)}</span>`}</a>`,
  );
  return html`<nav class="segments" aria-label="${about}">${links}</nav>`;
}
