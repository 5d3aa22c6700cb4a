import type { ApiDocument } from '../http/openapi.js';

type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;

/** Content security policy of the page: only its inline style, no other resources. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; }
  h3 { margin: 2rem 0 .25rem; }
  code, pre { font: 14px/1.45 ui-monospace, monospace; }
  pre { background: #8882; border-radius: 6px; padding: .75rem; overflow-x: auto; }
  td, th { padding: .15rem 1rem .15rem 0; text-align: left; vertical-align: top; }
`;

/**
 * The OpenAPI document as an HTML page: every route with its parameters and an example, without scripts or external
 * resources.
 */
export function docsPage(description: ApiDocument): string {
  const sections = [...byTag(description)].map(
    ([tag, routes]) =>
      `<h2>${escaped(tag)}</h2>${routes.map(({ path, get }) => section(path, get)).join('')}`,
  );
  const { title, description: about } = description.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${escaped(about ?? '')} The same for machines: <a href="/openapi.json">/openapi.json</a>.</p>
${sections.join('\n')}
</body>
</html>
`;
}

function byTag({ paths }: ApiDocument): Map<string, { path: string; get: Operation }[]> {
  const routes = new Map<string, { path: string; get: Operation }[]>();
  for (const [path, { get }] of Object.entries(paths ?? {})) {
    if (!get) continue;
    const tag = get.tags?.[0] ?? 'Other';
    routes.set(tag, [...(routes.get(tag) ?? []), { path, get }]);
  }
  return routes;
}

function section(path: string, operation: Operation): string {
  return [
    `<h3><code>GET ${escaped(path)}</code></h3>`,
    `<p>${escaped(operation.summary ?? '')}. ${escaped(operation.description ?? '')}</p>`,
    parameterTable(operation),
    exampleOf(operation),
  ].join('');
}

function parameterTable({ parameters = [] }: Operation): string {
  const rows = parameters.flatMap((parameter) => {
    if ('$ref' in parameter) return [];
    const must = parameter.required ? ' (required)' : '';
    return [
      `<tr><td><code>${escaped(parameter.name)}</code>${must}</td><td>${escaped(parameter.description ?? '')}</td></tr>`,
    ];
  });
  return rows.length > 0 ? `<table>${rows.join('')}</table>` : '';
}

function exampleOf({ responses }: Operation): string {
  const example: unknown = responses?.['200']?.content?.['application/json']?.example;
  return example === undefined ? '' : `<pre>${escaped(JSON.stringify(example, null, 2))}</pre>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
