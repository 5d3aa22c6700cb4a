import type { ApiDocument } from '../openapi/document.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';

type PathItem = NonNullable<ApiDocument['paths']>[string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'post'] as const;

interface Described {
  name: string;
  operation: Operation;
}

/** `GET /docs/plain`: the OpenAPI document as a page without script, with the parameters and an example of every route. */
export function plainReference(document: ApiDocument): Page {
  const { title, description = '' } = document.info;
  const operations = operationsByTag(document);
  const byTag = (document.tags ?? []).map(({ name }) => [name, operations.get(name) ?? []] as const);
  return {
    title: `Reference · ${title}`,
    summary: 'Every route of the API, with its parameters and an example.',
    path: '/docs/plain',
    section: 'reference',
    body: html`<h1>Reference</h1>
${description.split('\n\n').map((paragraph) => html`<p class="prose">${withCode(paragraph)}</p>`)}
<p class="prose">The same <a href="/docs">to try things in</a>, and <a href="/openapi.json">for machines</a>.</p>
<nav class="card contents" aria-label="Routes"><ul>${byTag.map(
      ([tag, operations]) =>
        html`<li><a href="#${anchorOf(tag)}">${tag}</a> <small>${operations.length}</small></li>`,
    )}</ul></nav>
${byTag.map(
  ([tag, operations]) =>
    html`<section class="routes"><h2 id="${anchorOf(tag)}">${tag}</h2>${operations.map(operationSection)}</section>`,
)}`,
  };
}

/** Descriptions are Markdown, but use only code between backticks. */
function withCode(text: string): (string | Html)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function anchorOf(tag: string): string {
  return tag.toLowerCase().replace(/\W+/g, '-');
}

function operationsByTag({ paths }: ApiDocument): Map<string, Described[]> {
  const byTag = new Map<string, Described[]>();
  for (const [path, item] of Object.entries(paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? 'Other';
      const described = { name: `${method.toUpperCase()} ${path}`, operation };
      byTag.set(tag, [...(byTag.get(tag) ?? []), described]);
    }
  }
  return byTag;
}

function operationSection({ name, operation }: Described): Html {
  const { summary = '', description } = operation;
  return html`<article class="card route"><h3><code>${name}</code></h3>
<p><strong>${summary}.</strong> ${withCode(description ?? '')}</p>
${parameterTable(operation)}
${bodyExample(operation)}
${exampleOf(operation)}</article>`;
}

function parameterTable({ parameters = [] }: Operation): Html | undefined {
  const rows = parameters.flatMap((parameter) => {
    if ('$ref' in parameter) return [];
    const { name, required, description, example } = parameter;
    return [
      html`<tr><th scope="row"><code>${name}</code>${required && html` <small>required</small>`}</th><td>${withCode(description ?? '')}</td><td>${example !== undefined && html`<code>${String(example)}</code>`}</td></tr>`,
    ];
  });
  if (rows.length === 0) return undefined;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th scope="col">Parameter</th><th scope="col">What</th><th scope="col">Example</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function bodyExample({ requestBody }: Operation): Html | undefined {
  if (!requestBody || '$ref' in requestBody) return undefined;
  return exampleIn('Example of a body', requestBody.content);
}

function exampleOf({ responses }: Operation): Html | undefined {
  return exampleIn('Example of a response', responses?.['200']?.content);
}

function exampleIn(title: string, content: object = {}): Html | undefined {
  const [first] = Object.values(content) as { example?: unknown }[];
  const example = first?.example;
  if (example === undefined) return undefined;
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<details><summary>${title}</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}
