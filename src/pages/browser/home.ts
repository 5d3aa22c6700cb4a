import {
  type ConversionRequest,
  conversionSnippets,
  conversionTarget,
  newestSnippets,
  normalAmount,
  type SeriesRequest,
  type Snippet,
  seriesSnippets,
} from '../shared/requests.js';
import { startChart } from './chart.js';
import { element, need, setAddress } from './elements.js';
import './how-old.js';
import { formats, locale, messages } from './reader.js';

const TYPING_MS = 180;

const form = need<HTMLFormElement>('[data-converter]');
const result = need('[data-result]', form);
const field = (name: string) => need<HTMLInputElement | HTMLSelectElement>(`[name=${name}]`, form);
let latest = new AbortController();

function conversion(): ConversionRequest {
  const [typed, base, quote, date] = ['amount', 'base', 'quote', 'date'].map((name) => field(name).value);
  const amount = normalAmount(typed ?? '', locale);
  return { amount, base: base ?? '', quote: quote ?? '', ...(date && { date }) };
}

/** Converts what the form says, by the request that the box below shows. */
async function convert(): Promise<void> {
  const request = conversion();
  latest.abort();
  latest = new AbortController();
  const { base, quote, date = '' } = request;
  setAddress({ amount: field('amount').value.trim(), base, quote, date });
  showSnippets('conversion', conversionSnippets(location.origin, request));
  const response = await fetch(conversionTarget(request), { signal: latest.signal });
  const answer = await response.json();
  result.replaceChildren(...(response.ok ? resultOf(answer) : [problem(answer.message)]));
}

function resultOf({ amount, base, quote, observed, rate, result }: Record<string, string>): Node[] {
  const given = element('span', `${formats.decimal(amount ?? '')} ${base} =`);
  given.className = 'result-amount';
  const how = `1 ${base} = ${formats.rate(Number(rate))} ${quote}, observed ${formats.date(observed ?? '')}`;
  return [
    given,
    document.createTextNode(' '),
    element('strong', `${formats.decimal(result ?? '')} ${quote}`),
    document.createTextNode(' '),
    element('small', how),
  ];
}

function problem(message: string): Node {
  const made = element('span', message);
  made.className = 'problem';
  return made;
}

/** Another pair: the chart and the table are those of the page that the server makes for it. */
async function showPair(): Promise<void> {
  await convert();
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, signal: latest.signal });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  stopChart();
  for (const part of ['.chart', '[aria-labelledby=newest-title]']) {
    need(part).replaceWith(document.adoptNode(need(part, page)));
  }
  stopChart = start();
}

/** Starts the chart, and shows the requests of the page as they are from here: a proxy may stand between. */
function start(): () => void {
  const { base = '', newest = '' } = need('[data-chart]').dataset;
  showSnippets('newest', newestSnippets(location.origin, { base, newest }));
  return startChart(need('.chart'), (request: SeriesRequest) =>
    showSnippets('series', seriesSnippets(location.origin, request)),
  );
}

function showSnippets(of: string, snippets: readonly Snippet[]): void {
  const box = need(`[data-snippets=${of}]`);
  for (const { name, text } of snippets) need(`[data-snippet="${name}"] code`, box).textContent = text;
}

function addCopyButton(): void {
  const button = element('button', messages.requests.copy);
  button.type = 'button';
  button.className = 'copy';
  button.addEventListener('click', async () => {
    const shown = [...document.querySelectorAll('[data-snippet] code')].find((code) =>
      code.parentElement?.checkVisibility(),
    );
    if (!shown) return;
    if (navigator.clipboard) await navigator.clipboard.writeText(shown.textContent ?? '');
    else getSelection()?.selectAllChildren(shown);
    button.textContent = navigator.clipboard ? messages.requests.copied : messages.requests.selected;
    setTimeout(() => {
      button.textContent = messages.requests.copy;
    }, 1500);
  });
  need('[data-request]').append(button);
}

/** Says why something could not be shown, unless a newer request has taken its place. */
function explain(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  result.replaceChildren(problem('The service can not be reached. Try again.'));
}

let typing: ReturnType<typeof setTimeout>;
form.addEventListener('input', (event) => {
  const isPair = event.target instanceof HTMLSelectElement;
  clearTimeout(typing);
  typing = setTimeout(() => void (isPair ? showPair() : convert()).catch(explain), isPair ? 0 : TYPING_MS);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (event.submitter?.getAttribute('name') === 'swap') {
    const [base, quote] = [field('base'), field('quote')];
    [base.value, quote.value] = [quote.value, base.value];
    void showPair().catch(explain);
  } else {
    void convert().catch(explain);
  }
});

need('[data-submit]', form).hidden = true;
showSnippets('conversion', conversionSnippets(location.origin, conversion()));
addCopyButton();
let stopChart = start();
