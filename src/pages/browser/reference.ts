import './days.js';
import { need } from './elements.js';
import { addCopyButton } from './snippets.js';

// The style shows it beside the operations in any case. Other pages with code have none.
for (const jump of document.querySelectorAll<HTMLDetailsElement>('.jump details'))
  jump.open = matchMedia('(min-width: 56.01rem)').matches;
for (const block of document.querySelectorAll<HTMLElement>('.code-block')) {
  addCopyButton(block);
  const code = need('code', block);
  // Names of members and texts have colours.
  code.innerHTML = code.innerHTML.replace(/("[^"\n]*"|'[^'\n]*')(:)?/g, (_, text: string, colon?: string) =>
    colon ? `<wbr><b>${text}</b>:` : `<i>${text}</i>`,
  );
}
