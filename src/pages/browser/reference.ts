import './days.js';
import { addCopyButton } from './snippets.js';

// The style shows it beside the operations in any case. Other pages with code have none.
for (const jump of document.querySelectorAll<HTMLDetailsElement>('.jump details'))
  jump.open = matchMedia('(min-width: 56.01rem)').matches;
for (const block of document.querySelectorAll<HTMLElement>('.code-block')) addCopyButton(block);
// Names of members and texts have colours.
for (const code of document.querySelectorAll('.code-block code'))
  code.innerHTML = code.innerHTML.replace(/("[^"\n]*"|'[^'\n]*')(:)?/g, (_, text: string, colon?: string) =>
    colon ? `<wbr><b>${text}</b>:` : `<i>${text}</i>`,
  );
// The examples have one language.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest('.snippets')) return;
  const [, name] = target.id.split(/-(.*)/);
  for (const tab of document.querySelectorAll<HTMLInputElement>(`.snippets [id$="-${name}"]`))
    tab.checked = true;
});
