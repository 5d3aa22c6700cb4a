import { ratesRequest } from '../shared/rates-request.js';
import { ratesSnippets } from '../shared/snippets.js';
import { need } from './elements.js';
import { Picker } from './picker.js';
import { say } from './reader.js';

/** Returns a function that sets the base of the page, unless the user has changed the form. */
export function startRequestBuilder(): (code: string) => void {
  const form = need<HTMLFormElement>('[data-builder]');
  const base = need<HTMLSelectElement>('[name=base]', form);
  const picker = new Picker(base);
  const tabs = need('[data-snippets=rates]');
  let isTouched = false;

  function show(): void {
    const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const request = ratesRequest(fields, form.dataset.newest ?? '');
    for (const { name, text } of ratesSnippets(location.origin, request))
      need(`[data-snippet="${name}"] code`, tabs).textContent = text;
    need('[data-quotes]', form).textContent = fields.getAll('quotes').join(', ') || say('builder.all');
  }

  form.addEventListener('input', () => {
    isTouched = true;
    show();
  });
  return (code) => {
    if (isTouched || base.value === code) return;
    base.value = code;
    picker.show();
    show();
  };
}
