import { homepage } from '../../core/process/project-files.js';
import { HttpError } from '../http/errors.js';
import { originOf } from '../http/route.js';
import type { ApiDocument } from '../openapi/document.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { PageRequest } from './reader.js';
import { codeBlock, jsonText, operationsOf } from './reference-operations.js';
import { firstRows } from './shared/first-rows.js';
import { html } from './shared/html.js';
import { reasonOf } from './shared/problem.js';
import { conversionTarget, type Parameters, queryOf } from './shared/requests.js';

interface Example {
  heading: string;
  target: string;
  answer: string;
}

/** Of an example. */
const MOST_ROWS = 6;

export async function referencePage(
  { data, document }: { data: PageData; document: ApiDocument },
  request: PageRequest,
): Promise<Page> {
  const { say } = request.reader;
  const origin = originOf(request.context);
  const { examples, answers, problem } = await examplesOf(data, request);
  const { nav, details } = operationsOf(document, { origin, answers }, request.reader);
  const sections = examples.map(
    ({ heading, target, answer }) => html`<section class="card example"><div><h2>${heading}</h2>
${codeBlock('curl', `curl '${origin}${target}'`)}</div>
<div class="sample">${codeBlock(say('reference.answer'), answer)}</div></section>`,
  );
  return {
    title: say('reference.title'),
    summary: say('reference.summary'),
    path: '/docs',
    section: 'reference',
    script: 'reference.ts',
    body: html`<div class="reference">
<h1>${say('reference.heading')}</h1>
<p class="lead">${say('reference.lead')}</p>
${nav}
<div class="contents">
${problem ? html`<p class="card">${say('problem.notYet')}. ${problem}</p>` : sections}
<section class="card" aria-labelledby="more-title"><h2 id="more-title">${say('reference.more')}</h2>
<ul><li><a href="${homepage}/tree/main/docs/recipes" rel="noreferrer">${say('reference.recipes')}</a></li><li><a href="/openapi.json">${say('reference.document')}</a></li></ul></section>
${details}
</div></div>`,
  };
}

/** Also current responses of operations, by their paths. Before the first rates, a sentence that says why there are none. */
async function examplesOf(
  data: PageData,
  { reader: { say }, reader, context }: PageRequest,
): Promise<{ examples: Example[]; answers: Record<string, unknown>; problem?: string }> {
  try {
    const rates = async (heading: string, parameters: Parameters): Promise<Example> => {
      const rows = (await data.rates(parameters, context)).map((row) => JSON.stringify(row));
      return { heading, target: `/v2/rates?${queryOf(parameters)}`, answer: firstRows(rows, MOST_ROWS) };
    };
    const pair = { base: 'EUR', quote: 'USD' };
    const amount = '1250.00';
    const from = `${data.newest().slice(0, 4)}-01-01`;
    const [all, conversion, newest, history] = await Promise.all([
      data.rates({}, context),
      data.convert(pair, { amount }, context),
      rates(say('newest.heading'), { base: 'EUR', quotes: 'USD,GBP' }),
      rates(say('reference.history'), { base: 'EUR', quotes: 'USD', from, group: 'month' }),
    ]);
    const target = conversionTarget({ ...pair, amount });
    const converted = { heading: say('reference.conversion'), target, answer: jsonText(conversion) };
    return {
      examples: [newest, converted, history],
      answers: { '/v2/rates': all, '/v2/convert/{base}/{quote}': conversion },
    };
  } catch (error) {
    if (error instanceof HttpError)
      return { examples: [], answers: {}, problem: reasonOf(error.message, reader) };
    throw error;
  }
}
