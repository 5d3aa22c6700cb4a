import { ratesRequest } from '../shared/requests.js';
import { ratesSnippets } from '../shared/snippets.js';
import './converter.js';
import { need } from './elements.js';
import { Picker } from './picker.js';
import { say } from './reader.js';
import { addCopyButton } from './snippets.js';

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

/** Takes the base of the page, unless the user has changed the form. */
function followBase(): void {
  const { value } = need<HTMLSelectElement>('[data-converter] [name=base]');
  if (isTouched || base.value === value) return;
  base.value = value;
  picker.show();
  show();
}

form.addEventListener('input', () => {
  isTouched = true;
  show();
});
for (const type of ['input', 'submit']) need('[data-converter]').addEventListener(type, followBase);
addCopyButton(need('.snippet-sets'));
