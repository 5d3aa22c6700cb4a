import { type Html, html } from './html.js';
import type { Snippet } from './shared/snippets.js';

/** The forms of one request. */
export interface SnippetSet {
  of: string;
  name: string;
  snippets: readonly Snippet[];
}

/** The requests behind a page, in the forms that they can be copied in. */
export function requestBox(sets: readonly SnippetSet[]): Html {
  return html`<section class="card request" aria-labelledby="request-title" data-request>
<div class="card-head"><h2 id="request-title">The request behind it</h2>
<div class="segments" role="radiogroup" aria-label="Of what">${sets.map(
    ({ of, name }, index) =>
      html`<label><input type="radio" name="request-of" value="${of}"${index === 0 && html` checked`}>${name}</label>`,
  )}</div></div>
${sets.map(snippetTabs)}
</section>`;
}

/** The forms of one request as tabs, which need no script: each is shown while its radio button is checked. */
function snippetTabs({ of, snippets }: SnippetSet): Html {
  return html`<div class="snippets" data-snippets="${of}">${snippets.map(({ name, text }, index) => {
    const id = `${of}-${name.replace(' ', '-')}`;
    return html`<input type="radio" name="form-${of}" id="${id}"${index === 0 && html` checked`}><label for="${id}">${name}</label>
<pre tabindex="0" aria-label="${name}" data-snippet="${name}"><code>${text}</code></pre>`;
  })}</div>`;
}
