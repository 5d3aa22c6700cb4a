import type { ApiDocument } from '../openapi/document.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import type { MessageKey } from './shared/messages.js';

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  in: string;
  schema?: { type?: string; format?: string; enum?: unknown[]; default?: unknown };
}

/** A response with more lines is cut. */
const MOST_LINES = 14;

/** The operations of an OpenAPI document by groups, and links to them. The document's other texts are English in every language. */
export function operationsOf(document: ApiDocument, origin: string, reader: Reader) {
  const { say, language } = reader;
  const groups = groupsOf(document);
  const headingOf = ({ id }: Group) =>
    html`<span lang="${language}" dir="auto">${say(`reference.groups.${id}` as MessageKey)}</span>`;
  const link = (group: Group) => {
    const own = group.current.map(
      // A summary begins with a name of the operation.
      ({ operationId, method, path, summary = path }) =>
        html`<li><a href="#${operationId}" title="${method.toUpperCase()} ${path}">${summary.split(/[,;] /)[0]}</a></li>`,
    );
    return html`<li><a href="#${group.id}">${headingOf(group)}</a>${own.length > 0 && html`<ul>${own}</ul>`}</li>`;
  };
  const details = (group: Group) => {
    const { id, description, operations, current } = group;
    return html`<details class="card operations" lang="en" dir="ltr"${current.length > 0 && html` open`}><summary><h2>${headingOf(group)}</h2> <small>${description}</small></summary><div id="${id}">${operations.map((operation) => operationDetails(operation, origin, reader))}</div></details>`;
  };
  return {
    nav: html`<nav class="jump" lang="en" dir="ltr" aria-labelledby="jump-title"><details><summary><h2 id="jump-title" lang="${language}" dir="auto">${say('reference.jump')}</h2></summary><ul>${groups.map(link)}</ul></details></nav>`,
    details: groups.map(details),
    /** Some parameters of an operation. */
    describe(operationId: string, names: readonly string[]): Html {
      const operations = groups.flatMap((group) => group.operations);
      const parameters = operations.find((one) => one.operationId === operationId)?.parameters as Parameter[];
      const named = parameters.filter(({ name }) => names.includes(name));
      return html`<div lang="en" dir="ltr">${parameterList(named, reader)}</div>`;
    },
  };
}

type Group = ReturnType<typeof groupsOf>[number];

type Operation = Group['operations'][number];

/** May break before each slash. */
const pathIn = (path: string) => path.split(/(?=\/)/).map((part) => html`<wbr>${part}`);

function groupsOf({ paths = {}, tags = [] }: ApiDocument) {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    (['get', 'post'] as const).flatMap((method) => (item[method] ? { ...item[method], method, path } : [])),
  );
  return tags.map(({ name, description }) => {
    const operations = all.filter((operation) => operation.tags?.[0] === name);
    const current = operations.filter(({ path }) => path.startsWith('/v2/'));
    return { id: name.toLowerCase().replaceAll(/\W+/g, '-'), description, operations, current };
  });
}

/** Its id is within the details, so that browsers open them for a link to it. */
function operationDetails(operation: Operation, origin: string, reader: Reader): Html {
  const { method, path, summary, description, operationId, responses = {} } = operation;
  const parameters = (operation.parameters ?? []) as Parameter[];
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const response = success?.content?.['application/json']?.example;
  return html`<details class="operation"><summary><code><b class="${method}">${method.toUpperCase()}</b>${pathIn(path)}</code> <span>${summary}</span></summary>
<div id="${operationId}"><div>${description && html`<p>${withCode(description)}</p>`}
${parameters.length > 0 && parameterList(parameters, reader)}</div>
<div class="sample">${codeBlock('curl', curlOf(operation, parameters, origin))}
${response !== undefined && codeBlock(reader.say('reference.answer'), jsonText(response))}</div></div></details>`;
}

function parameterList(parameters: readonly Parameter[], { say, language }: Reader): Html {
  const ofReader = (name: 'required' | 'default') =>
    html`<span class="${name}" lang="${language}">${say(`reference.${name}`)}</span>`;
  return html`<dl class="parameters">${parameters.map(
    ({ name, required, description = '', schema = {} }) =>
      html`<div><dt><code>${name}</code> <small>${typeOf(schema)}</small> ${required && ofReader('required')}${
        schema.default !== undefined &&
        html`<small>${ofReader('default')} <code>${String(schema.default)}</code></small>`
      }</dt><dd>${withCode(description)}</dd></div>`,
  )}</dl>`;
}

function typeOf({ type, format, enum: values }: NonNullable<Parameter['schema']>): Html | string {
  if (!values) return format ?? type ?? '';
  return html`${values.map((value, at) => html`${at > 0 && ' | '}<code>${String(value)}</code>`)}`;
}

/** With code between backticks. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A script adds colours, and the button that copies the code. */
export function codeBlock(label: string, text: string): Html {
  // An address is broken after these.
  const parts = text.split(/(?<=[/?&])(?=\w)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`);
  return html`<div class="code-block"><p>${label}</p><pre tabindex="0" dir="ltr" aria-label="${label}"><code>${parts}</code></pre></div>`;
}

function curlOf(operation: Operation, parameters: readonly Parameter[], origin: string): string {
  const { method, path, requestBody, security } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURI(String(parameters.find((one) => one.name === name)?.example ?? name)),
  );
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  const query = new URLSearchParams(
    needed.map(({ name, example }): [string, string] => [name, String(example)]),
  );
  const body = requestBody && 'content' in requestBody && requestBody.content['application/json']?.example;
  return [
    `curl ${method === 'post' ? '-X POST ' : ''}'${origin}${filled}${query.size > 0 ? `?${query}` : ''}'`,
    ...(security ? ["-H 'authorization: Bearer ADMIN_TOKEN'"] : []),
    ...(body ? ["-H 'content-type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
  ].join(' \\\n  ');
}

/** One member a line, with a mark before the last line in place of those that are left out. */
export function jsonText(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  if (lines.length > MOST_LINES) lines.splice(MOST_LINES - 1, lines.length - MOST_LINES, '  …');
  return lines.join('\n');
}
