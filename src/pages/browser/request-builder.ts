import { html } from '../shared/html.js';
import { type RatesRequest, ratesRequest, ratesTarget } from '../shared/rates-request.js';
import { ratesSnippets } from '../shared/snippets.js';
import { ask } from './ask.js';
import { element, need } from './elements.js';
import { Picker } from './picker.js';
import { say } from './reader.js';
import { showSnippets } from './snippets.js';
import { openTask } from './task.js';
import { untilAnswered } from './until-answered.js';

const PAUSE_MS = 300;
const ROWS = 5;
/** In characters: more than the newest rates of all currencies have. */
const MOST_READ = 100_000;

export function startRequestBuilder() {
  const form = need<HTMLFormElement>('[data-builder]');
  const { newest = '' } = form.dataset;
  const base = need<HTMLSelectElement>('[name=base]', form);
  const picker = new Picker(base);
  const preview = need('[data-first-rows]');
  const rows = need('pre', preview);
  const places = {
    answer: rows,
    state: need('[role=status]', preview),
    waiting: say('builder.waiting'),
    unanswered: say('builder.unanswered'),
  };
  const replace = openTask();
  let isTouched = false;

  /** Shows the request at once, and its response after a pause. */
  function show(pauseMs: number): void {
    const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    const request = ratesRequest(fields, newest);
    showSnippets('rates', ratesSnippets(location.origin, request));
    need('[data-quotes]', form).textContent = fields.getAll('quotes').join(', ') || say('builder.all');
    replace((signal) => untilAnswered(() => showRows(rows, request, signal), places, signal), pauseMs);
  }

  form.addEventListener('input', () => {
    isTouched = true;
    show(PAUSE_MS);
  });
  preview.hidden = false;
  show(0);
  return {
    /** Sets the base of the page, unless the user has changed the form. */
    follow(code: string): void {
      if (isTouched || base.value === code) return;
      base.value = code;
      picker.show();
      show(0);
    },
  };
}

async function showRows(rows: HTMLElement, request: RatesRequest, signal: AbortSignal): Promise<void> {
  // JSON is also read as one row per line, so that reading can stop after the first rows.
  const as = request.format === 'csv' ? 'csv' : 'ndjson';
  const read = (response: Response) => excerptOf(response, request);
  const { isOk, text } = await ask(ratesTarget(request, as), '*/*', signal, read);
  if (isOk) rows.replaceChildren(codeOf(text));
  else rows.innerHTML = html`<span class="problem">${say('problem.refused')}</span>`.text;
}

/** The first rows of a range, otherwise the first of the newest day, with a mark if there are more. */
async function excerptOf(response: Response, { format, parameters }: RatesRequest): Promise<string> {
  const [head, isRange] = [format === 'csv' ? 1 : 0, 'from' in parameters];
  const most = ROWS + head;
  const lines = (await beginningOf(response)).split('\n').filter(Boolean);
  // Rows with the oldest day come first, such as those of a currency that is published monthly.
  const newest = /\d{4}-\d\d-\d\d/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  const isWhole = lines.length <= most;
  const isShown = (line: string, at: number) => isRange || isWhole || at < head || line.includes(newest);
  const shown = lines.filter(isShown).slice(0, most);
  const rows = [...shown, ...(isWhole ? [] : ['…'])];
  return format === 'json' ? `[${rows.join(',\n ')}]` : rows.join('\n');
}

/** The rest of a long body is not read. */
async function beginningOf({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part?.value && text.length < MOST_READ; part = await reader?.read())
    text += part.value;
  await reader?.cancel();
  return text;
}

/** On narrow screens, the style begins a line with each field. */
function codeOf(text: string): HTMLElement {
  const code = element('code', '');
  const parts = text.match(/[^,\n]*[,\n]|[^,\n]+$/g) ?? [];
  code.append(...parts.map((part) => (part.startsWith('"') ? element('span', part) : part)));
  return code;
}
