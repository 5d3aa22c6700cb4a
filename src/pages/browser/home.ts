import { amountIn, amountProblem, writtenAmount } from '../shared/amount.js';
import { problemOf } from '../shared/problem.js';
import { conversionTarget, type SeriesRequest } from '../shared/requests.js';
import { answerOf, type Conversion, resultOf, shownRate } from '../shared/result.js';
import { conversionSnippets, seriesSnippets } from '../shared/snippets.js';
import { ask, askPage } from './ask.js';
import { startChart } from './chart.js';
import './data-age.js';
import { showDays } from './days.js';
import { find, need } from './elements.js';
import { setAddress } from './history.js';
import { Picker } from './picker.js';
import { formats, locale, say } from './reader.js';
import { startRequestBuilder } from './request-builder.js';
import { addCopyButton, showSnippets } from './snippets.js';
import { openTask } from './task.js';
import { untilAnswered } from './until-answered.js';

const TYPING_MS = 180;

const form = need<HTMLFormElement>('[data-converter]');
const result = need('[data-result]', form);
const field = (name: string) => need<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`, form);
const pickers = [...form.querySelectorAll('select')].map((select) => new Picker(select));
const [waiting, unanswered] = [say('converter.waiting'), say('converter.old')];
const places = { answer: result, state: need('[data-result-state]', form), waiting, unanswered };
const replace = openTask();

function asked() {
  const [typed = '', base = '', quote = '', date = ''] = ['amount', 'base', 'quote', 'date'].map(
    (name) => field(name).value,
  );
  return { typed: typed.trim(), amount: amountIn(typed, locale), base, quote, date };
}

/** For another pair, also shows its chart and table. */
async function show(signal: AbortSignal): Promise<void> {
  await untilAnswered(() => convert(signal), places, signal);
  const { base, quote } = asked();
  if (signal.aborted || (shown.base === base && shown.quote === quote)) return;
  await untilAnswered(() => showParts(signal), { ...places, answer: need('.chart') }, signal);
}

/** With the request that the snippets show. */
async function convert(signal: AbortSignal): Promise<void> {
  const { typed, amount, base, quote, date } = asked();
  field('amount').setAttribute('aria-invalid', String(amount === undefined));
  need('#amount-problem', form).textContent = amount === undefined ? amountProblem(typed, say) : '';
  const request = { amount: amount ?? '1', base, quote, date };
  showSnippets('conversion', conversionSnippets(location.origin, request));
  const { isOk, text } = await ask(conversionTarget(request), 'application/json', signal);
  const answer = JSON.parse(text);
  if (isOk) showResult(answer);
  else result.innerHTML = problemOf(answer, { formats, say }).text;
}

function showResult(conversion: Conversion): void {
  const { peg } = need<HTMLSelectElement>('[name=quote]', form).selectedOptions[0]?.dataset ?? {};
  result.innerHTML = answerOf(resultOf(conversion, { formats, say }, peg)).text;
  const { base, quote } = conversion;
  const shown = formats.shown(shownRate(conversion, peg));
  document.title = say('home.pairTitle', { base, quote, rate: shown });
}

/** The chart and the table are those of the page that the server makes for the pair. */
async function showParts(signal: AbortSignal): Promise<void> {
  const page = await askPage(location.href, signal);
  stopChart();
  for (const part of ['.chart', '[aria-labelledby=newest-title]']) need(part).replaceWith(need(part, page));
  shown = asked();
  stopChart = start();
}

/** Shows the request by the origin that the browser uses: a proxy may change it. */
function start(): () => void {
  builder.follow(shown.base);
  return startChart(need('.chart'), (request: SeriesRequest) =>
    showSnippets('series', seriesSnippets(location.origin, request)),
  );
}

/** `push` for another pair, so that the back button returns to the last. */
function keep(step: 'push' | 'replace'): void {
  const { typed, amount, base, quote, date } = asked();
  setAddress({ amount: amount ?? typed, base, quote, date }, step);
  replace(show);
}

form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return replace(() => keep('replace'), TYPING_MS);
  find('[data-unknown]', target.parentElement ?? form)?.remove();
  keep('push');
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.submitter?.getAttribute('name') !== 'swap') return keep('replace');
  const [base, quote] = [field('base'), field('quote')];
  [base.value, quote.value] = [quote.value, base.value];
  for (const picker of pickers) picker.show();
  keep('push');
});
window.addEventListener('popstate', () => {
  // Fields that the address does not name get the value that the server has set.
  form.reset();
  const { searchParams } = new URL(location.href);
  for (const name of ['amount', 'base', 'quote', 'date']) {
    const value = searchParams.get(name);
    if (value !== null) field(name).value = name === 'amount' ? writtenAmount(value, formats) : value;
  }
  for (const picker of pickers) picker.show();
  showDays();
  replace(show);
});

need('[data-submit]', form).hidden = true;
const { amount: first = '1', ...pair } = asked();
showSnippets('conversion', conversionSnippets(location.origin, { amount: first, ...pair }));
addCopyButton(need('.snippet-sets'));
const builder = startRequestBuilder();
/** The pair of the chart and the table. The chart may be of another pair that makes a line. */
let shown = asked();
let stopChart = start();
