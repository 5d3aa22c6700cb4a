import { need } from './elements.js';
import { openTask, showAddress } from './parts.js';
import { Picker } from './picker.js';
import { say } from './reader.js';

const TYPING_MS = 180;

const form = need<HTMLFormElement>('[data-search]');
const input = need<HTMLInputElement>('input[type=search]', form);
const places = {
  answer: need('[data-part=lines]'),
  state: need('[data-search-state]'),
  waiting: '',
  unanswered: say('converter.old'),
};
const typing = openTask();

input.addEventListener('input', () =>
  typing(() => showAddress({ q: input.value.trim() }, 'replace', places), TYPING_MS),
);
need('[data-submit]').hidden = true;
for (const select of form.querySelectorAll('select')) {
  new Picker(select);
  select.addEventListener('input', () => form.submit());
}
