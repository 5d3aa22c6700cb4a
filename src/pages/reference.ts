import { homepage } from '../../core/process/project-files.js';
import { HttpError } from '../http/errors.js';
import { pathOf } from '../http/exchange.js';
import { originOf } from '../http/route.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import { reasonOf } from './problem.js';
import type { PageRequest } from './reader.js';
import { codeBlock, jsonText, operationsOf } from './reference-operations.js';
import { snippetTabs } from './request-builder.js';
import { facts, html } from './shared/html.js';
import { conversionTarget, type Parameters, ratesTarget } from './shared/requests.js';
import { conversionSnippets, ratesSnippets } from './shared/snippets.js';

export async function referencePage(data: PageData, request: PageRequest): Promise<Page> {
  const { say } = request.reader;
  const origin = originOf(request.context);
  const { examples, problem } = await examplesOf(data, origin, request);
  const { nav, details, describe } = operationsOf(data.describeApi(), origin, request.reader);
  const sections = examples.map(
    ({ name, operation, target, snippets: [, ...snippets], answer }) =>
      html`<section class="card example"><div><h2>${say(`reference.${name}`)}</h2>
<p><code><b>GET</b> ${pathOf(target)}</code></p>
<p>${say(`reference.about.${name}`)}</p>
${describe(operation, MAIN[name])}
<p><a href="#${operation}">${say('reference.parameters')}</a></p></div>
<div class="sample"><div class="code-block">${snippetTabs(name, snippets)}</div>
${codeBlock(say('reference.answer'), jsonText(answer))}</div></section>`,
  );
  const basics = facts({
    [say('reference.base')]: html`<code dir="ltr">${origin}/v2</code>`,
    [say('builder.format')]: 'JSON, NDJSON, CSV',
    [say('reference.errors')]: html`<code dir="ltr">{status, code, message}</code>`,
    [say('problem.tooMany')]: html`<code dir="ltr">429, Retry-After</code>`,
    [say('reference.more')]:
      html`<a href="/openapi.json">OpenAPI</a> · <a href="${homepage}/tree/main/docs/recipes" rel="noreferrer">${say('reference.recipes')}</a>`,
  });
  return {
    title: say('reference.title'),
    summary: say('reference.summary'),
    section: 'reference',
    script: 'reference.ts',
    body: html`<div class="reference">
<h1>${say('reference.heading')}</h1>
<p class="lead">${say('reference.lead')}</p>
${basics}
${nav}
<div class="contents">
${problem ? html`<p class="card">${say('problem.notYet')}. ${problem}</p>` : sections}
${details}
</div></div>`,
  };
}

/** The main parameters of each example. */
const MAIN = {
  newest: ['base', 'quotes', 'date'],
  conversion: ['amount', 'date'],
  history: ['from', 'to', 'group'],
};

/** Before the first rates, a sentence that says why there are none. */
async function examplesOf(data: PageData, origin: string, { reader, context }: PageRequest) {
  const rates = async (name: 'newest' | 'history', parameters: Parameters) => {
    const request = { format: 'json', parameters } as const;
    const [target, snippets] = [ratesTarget(request), ratesSnippets(origin, request)];
    return { name, operation: 'listRates', target, snippets, answer: await data.rows(parameters, context) };
  };
  const pair = { base: 'EUR', quote: 'USD' };
  const amount = '1250.00';
  const converted = async () => ({
    name: 'conversion' as const,
    operation: 'convertAmount',
    target: conversionTarget({ ...pair, amount }),
    snippets: conversionSnippets(origin, { ...pair, amount }),
    answer: await data.convert(pair, { amount }, context),
  });
  try {
    const from = `${data.newest().slice(0, 4)}-01-01`;
    const examples = await Promise.all([
      rates('newest', { base: 'EUR', quotes: 'USD,GBP' }),
      converted(),
      rates('history', { base: 'EUR', quotes: 'USD', from, group: 'month' }),
    ]);
    return { examples };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { examples: [], problem: reasonOf(error.message, reader) };
  }
}
