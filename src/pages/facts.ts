import { type Html, html } from './shared/html.js';

/** A list of facts by their names, without those that are absent. `look` has the classes of the list. */
export function facts(
  named: Readonly<Record<string, Html | string | false | null | undefined>>,
  look = 'facts',
): Html {
  const items = Object.entries(named).map(
    ([name, fact]) => fact && html`<div><dt>${name}</dt><dd>${fact}</dd></div>`,
  );
  return html`<dl class="${look}">${items}</dl>`;
}
