import { homepage } from '../../core/process/project-files.js';
import { HttpError } from '../http/errors.js';
import { originOf } from '../http/route.js';
import type { ApiDocument } from '../openapi/document.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { PageRequest } from './reader.js';
import { codeBlock, operationsNav, operationsOf } from './reference-operations.js';
import { firstRows } from './shared/first-rows.js';
import { type Html, html } from './shared/html.js';
import { reasonOf } from './shared/problem.js';
import { conversionTarget, type Parameters, queryOf } from './shared/requests.js';

interface Example {
  heading: string;
  target: string;
  answer: string;
}

const MOST_ROWS = 3;

interface Sources {
  data: PageData;
  document: ApiDocument;
}

export async function referencePage(sources: Sources, request: PageRequest): Promise<Page> {
  const { data, document } = sources;
  const { say } = request.reader;
  const origin = originOf(request.context);
  const examples = await examplesOf(data, request);
  return {
    title: say('reference.title'),
    summary: say('reference.summary'),
    path: '/docs',
    section: 'reference',
    script: 'reference.ts',
    body: html`<div class="reference">
<h1>${say('reference.heading')}</h1>
<p class="lead">${say('reference.lead')}</p>
${operationsNav(document, request.reader)}
<div class="contents">
${Array.isArray(examples) ? examples.map((example) => exampleSection(example, origin, say('reference.answer'))) : html`<p class="card">${say('problem.notYet')}. ${examples}</p>`}
<section class="card" aria-labelledby="more-title"><h2 id="more-title">${say('reference.more')}</h2>
<ul><li><a href="${homepage}/tree/main/docs/recipes" rel="noreferrer">${say('reference.recipes')}</a></li><li><a href="/openapi.json">${say('reference.document')}</a></li></ul></section>
${operationsOf(document, origin, request.reader)}
</div></div>`,
  };
}

function exampleSection({ heading, target, answer }: Example, origin: string, title: string): Html {
  return html`<section class="card example"><h2>${heading}</h2>
${codeBlock('curl', `curl '${origin}${target}'`)}
${codeBlock(title, answer)}</section>`;
}

/** Before the first rates, a sentence that says why there are no responses. */
async function examplesOf(data: PageData, { reader, context }: PageRequest): Promise<Example[] | string> {
  const { say } = reader;
  try {
    const newest = data.newest();
    const rates = async (heading: string, parameters: Parameters): Promise<Example> => {
      const rows = await data.rates(parameters, context);
      const lines = rows.map((row) => JSON.stringify(row));
      return { heading, target: `/v2/rates?${queryOf(parameters)}`, answer: firstRows(lines, MOST_ROWS) };
    };
    const pair = { base: 'EUR', quote: 'USD' };
    const amount = '100';
    const january = `${newest.slice(0, 4)}-01-01`;
    return await Promise.all([
      rates(say('newest.heading'), { base: 'EUR', quotes: 'USD,GBP,JPY' }),
      data.convert(pair, { amount }, context).then((answer) => ({
        heading: say('reference.conversion'),
        target: conversionTarget({ ...pair, amount }),
        answer: JSON.stringify(answer, null, 2),
      })),
      rates(say('reference.history'), { base: 'EUR', quotes: 'USD', from: january, group: 'month' }),
    ]);
  } catch (error) {
    if (error instanceof HttpError) return reasonOf(error.message, reader);
    throw error;
  }
}
