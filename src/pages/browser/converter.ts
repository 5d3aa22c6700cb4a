import { amountIn, amountProblem } from '../shared/amount.js';
import './days.js';
import { takeWithChart } from './chart.js';
import { find, need } from './elements.js';
import { afterTyping, showAddress } from './parts.js';
import { Picker } from './picker.js';
import { formats, locale, say } from './reader.js';

const form = need<HTMLFormElement>('[data-converter]');
const field = (name: string) => need<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`, form);
const pickers = [...form.querySelectorAll('select')].map((select) => new Picker(select));
const places = {
  answer: need('[data-result]', form),
  state: need('[data-result-state]', form),
  waiting: say('converter.waiting'),
  unanswered: say('converter.old'),
};

/** `pushState` for another pair, so that the back button returns to the last. */
function show(step: 'pushState' | 'replaceState'): void {
  const [typed = '', base = '', quote = '', date = ''] = ['amount', 'base', 'quote', 'date'].map((name) =>
    field(name).value.trim(),
  );
  const amount = amountIn(typed, locale);
  field('amount').ariaInvalid = String(amount === undefined);
  need('#amount-problem', form).textContent =
    amount === undefined ? amountProblem(typed, { formats, say }) : '';
  // The amount of the address stays until another one can be read.
  showAddress({ ...(amount && { amount }), base, quote, date }, step, places, takeWithChart);
}

form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return afterTyping(() => show('replaceState'));
  find('[data-unknown]', target.parentElement ?? form)?.remove();
  show('pushState');
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.submitter?.getAttribute('name') !== 'swap') return show('replaceState');
  const [base, quote] = [field('base'), field('quote')];
  [base.value, quote.value] = [quote.value, base.value];
  for (const picker of pickers) picker.show();
  show('pushState');
});
