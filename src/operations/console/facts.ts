import { type Html, html } from '../../pages/shared/html.js';

export function facts(named: Readonly<Record<string, Html | string>>): Html {
  const items = Object.entries(named).map(
    ([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>`,
  );
  return html`<dl class="facts">${items}</dl>`;
}
