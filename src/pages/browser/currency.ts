import { askPage } from './ask.js';
import './data-age.js';
import './days.js';
import { need } from './elements.js';
import { Picker } from './picker.js';
import { say } from './reader.js';
import './series.js';
import { openTask } from './task.js';
import { untilAnswered } from './until-answered.js';

const TYPING_MS = 180;

const form = need<HTMLFormElement>('[data-converter]');
const result = need('[data-result]', form);
const [waiting, unanswered] = [say('converter.waiting'), say('converter.old')];
const places = { answer: result, state: need('[data-result-state]', form), waiting, unanswered };
const replace = openTask();

/** The result is that of the page to which the form leads. */
async function show(signal: AbortSignal): Promise<void> {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const page = await askPage(`/?${new URLSearchParams(fields)}`, signal);
  for (const part of ['[data-result]', '#amount-problem'])
    need(part, form).replaceChildren(...need(part, page).childNodes);
  need('#amount', form).ariaInvalid = need('#amount', page).ariaInvalid;
}

for (const select of form.querySelectorAll('select')) new Picker(select);
form.addEventListener('input', () =>
  replace((signal) => untilAnswered(() => show(signal), places, signal), TYPING_MS),
);
need('[data-submit]', form).hidden = true;
