import { homepage } from '../../core/process/project-files.js';
import { HttpError } from '../http/errors.js';
import { originOf, pathOf } from '../http/route.js';
import type { ApiDocument } from '../openapi/document.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import { reasonOf } from './problem.js';
import type { PageRequest } from './reader.js';
import { codeBlock, jsonText, operationsOf } from './reference-operations.js';
import { html } from './shared/html.js';
import { conversionTarget, type Parameters, queryOf } from './shared/requests.js';

export async function referencePage(
  { data, document }: { data: PageData; document: ApiDocument },
  request: PageRequest,
): Promise<Page> {
  const { say } = request.reader;
  const origin = originOf(request.context);
  const { examples, problem } = await examplesOf(data, request);
  const { nav, details } = operationsOf(document, origin, request.reader);
  const sections = examples.map(
    ({ name, operation, target, answer }) =>
      html`<section class="card example"><div><h2>${say(`reference.${name}`)}</h2>
<p><code><b>GET</b> ${pathOf(target)}</code></p>
<p>${say(`reference.about.${name}`)}</p>
<p><a href="#${operation}">${say('reference.parameters')}</a></p></div>
<div class="sample">${codeBlock('curl', `curl '${origin}${target}'`)}
${codeBlock(say('reference.answer'), jsonText(answer))}</div></section>`,
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

/** Before the first rates, a sentence that says why there are none. */
async function examplesOf(data: PageData, { reader, context }: PageRequest) {
  try {
    const rates = async (name: 'newest' | 'history', parameters: Parameters) => ({
      name,
      /** The ID of its operation. */
      operation: 'listRates',
      target: `/v2/rates?${queryOf(parameters)}`,
      answer: await data.rates(parameters, context),
    });
    const pair = { base: 'EUR', quote: 'USD' };
    const amount = '1250.00';
    const from = `${data.newest().slice(0, 4)}-01-01`;
    const [conversion, newest, history] = await Promise.all([
      data.convert(pair, { amount }, context),
      rates('newest', { base: 'EUR', quotes: 'USD,GBP' }),
      rates('history', { base: 'EUR', quotes: 'USD', from, group: 'month' }),
    ]);
    const converted = {
      name: 'conversion' as const,
      operation: 'convertAmount',
      target: conversionTarget({ ...pair, amount }),
      answer: conversion,
    };
    return { examples: [newest, converted, history] };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { examples: [], problem: reasonOf(error.message, reader) };
  }
}
