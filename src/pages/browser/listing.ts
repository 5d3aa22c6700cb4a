import { need } from './elements.js';
import { afterTyping, showAddress } from './parts.js';
import { Picker } from './picker.js';
import { say } from './reader.js';

const form = need<HTMLFormElement>('[data-search]');
const input = need<HTMLInputElement>('input[type=search]', form);
const places = {
  answer: need('[data-part=lines]'),
  state: need('[data-search-state]'),
  unanswered: say('converter.old'),
};

input.addEventListener('input', () =>
  afterTyping(() => showAddress({ q: input.value.trim() }, 'replaceState', places)),
);
need('[data-submit]').hidden = true;
for (const select of form.querySelectorAll('select')) {
  new Picker(select);
  select.addEventListener('input', () => form.submit());
}
