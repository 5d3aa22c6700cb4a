import { need } from './elements.js';
import { openTask, showAddress } from './parts.js';
import { say } from './reader.js';

const TYPING_MS = 180;

const input = need<HTMLInputElement>('[data-search] input[type=search]');
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
