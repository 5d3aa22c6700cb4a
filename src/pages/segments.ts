import { pathWith } from './searchable-table.js';
import type { Formats } from './shared/format.js';
import { type Html, html } from './shared/html.js';

interface List {
  /** What the links choose by. */
  label: string;
  path: string;
  target: string;
  /** The parameter that the links set. */
  name: string;
  current: string;
}

/** Value, label, number of lines, and what the value means. */
type Choice = readonly [value: string, label: string, count: number, meaning?: string];

/** Links that filter a list, from its first page on. */
export function segments(list: List, formats: Formats, choices: readonly Choice[]): Html {
  const { label, path, target, name, current } = list;
  const links = choices.map(
    ([value, text, count, meaning]) =>
      html`<a href="${pathWith(path, target, { [name]: value, before: '' })}" data-choice="${value}"${meaning && html` title="${meaning}"`}${value === current && html` aria-current="true"`}>${text} <span>${formats.count(count)}</span></a>`,
  );
  return html`<nav class="segments" aria-label="${label}">${links}</nav>`;
}
