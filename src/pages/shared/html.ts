export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes values for text and quoted attributes, unless they are Html. False, null and undefined become empty. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  parts.forEach((part, index) => {
    text += textOf(part) + (strings[index + 1] ?? '');
  });
  return new Html(text);
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === false || part === null || part === undefined) return '';
  if (typeof part === 'object') return part.map(textOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => NAMED[character] ?? '');
}

/** A list of facts by their names, without those that are absent. */
export function facts(named: Readonly<Record<string, Html | string | false | null | undefined>>): Html {
  const items = Object.entries(named).map(
    ([name, fact]) => fact && html`<div><dt>${name}</dt><dd>${fact}</dd></div>`,
  );
  return html`<dl class="facts">${items}</dl>`;
}
