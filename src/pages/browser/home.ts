import { amountIn, amountProblem } from '../shared/amount.js';
import './days.js';
import { ratesRequest } from '../shared/requests.js';
import { ratesSnippets } from '../shared/snippets.js';
import { takeWithChart } from './chart.js';
import { find, need } from './elements.js';
import { openTask, showAddress } from './parts.js';
import { Picker } from './picker.js';
import { locale, say } from './reader.js';
import { addCopyButton } from './snippets.js';

const TYPING_MS = 180;

const form = need<HTMLFormElement>('[data-converter]');
const field = (name: string) => need<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`, form);
const pickers = [...form.querySelectorAll('select')].map((select) => new Picker(select));
const places = {
  answer: need('[data-result]', form),
  state: need('[data-result-state]', form),
  waiting: say('converter.waiting'),
  unanswered: say('converter.old'),
};
const typing = openTask();

/** `push` for another pair, so that the back button returns to the last. */
function show(step: 'push' | 'replace'): void {
  const [typed = '', base = '', quote = '', date = ''] = ['amount', 'base', 'quote', 'date'].map((name) =>
    field(name).value.trim(),
  );
  followBase(base);
  const amount = amountIn(typed, locale);
  field('amount').ariaInvalid = String(amount === undefined);
  need('#amount-problem', form).textContent = amount === undefined ? amountProblem(typed, say) : '';
  // The amount of the address stays until another one can be read.
  showAddress({ ...(amount && { amount }), base, quote, date }, step, places, takeWithChart);
}

form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return typing(() => show('replace'), TYPING_MS);
  find('[data-unknown]', target.parentElement ?? form)?.remove();
  show('push');
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.submitter?.getAttribute('name') !== 'swap') return show('replace');
  const [base, quote] = [field('base'), field('quote')];
  [base.value, quote.value] = [quote.value, base.value];
  for (const picker of pickers) picker.show();
  show('push');
});

need('[data-submit]', form).hidden = true;
addCopyButton(need('.snippet-sets'));
const followBase = startRequestBuilder();

/** Returns a function that sets the base of the page, unless the user has changed the form. */
function startRequestBuilder(): (code: string) => void {
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
