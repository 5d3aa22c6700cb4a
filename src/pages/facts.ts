import { type Html, html } from './shared/html.js';

/** A list of facts by their names. `look` has the classes of the list. */
export function facts(named: Readonly<Record<string, Html | string>>, look = 'facts'): Html {
  const items = Object.entries(named).map(
    ([name, fact]) => html`<div><dt>${name}</dt><dd>${fact}</dd></div>`,
  );
  return html`<dl class="${look}">${items}</dl>`;
}
