import type { Field, RequestOptions } from './client.js';

/** The URL with the query added. */
export function addressOf(url: string, query: RequestOptions['query']): string {
  const pairs = encodeFields(query ?? {}, encodeQuery);
  if (pairs === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${pairs}`;
}

/** The body of a request, with its content type if this client knows it. */
export function bodyOf(options: RequestOptions): { body?: string; contentType?: string } {
  if (options.form) {
    return {
      body: encodeFields(options.form, encodeURIComponent).replace(/%20/g, '+'),
      contentType: 'application/x-www-form-urlencoded',
    };
  }
  if (options.json !== undefined)
    return { body: JSON.stringify(options.json), contentType: 'application/json' };
  return options.body === undefined ? {} : { body: options.body };
}

function encodeFields(fields: Readonly<Record<string, Field>>, encode: (text: string) => string): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => [value ?? []].flat().map((one) => `${encode(name)}=${encode(String(one))}`))
    .join('&');
}

/** Several services compare these five characters unescaped, and RFC 3986 allows them in a query. */
function encodeQuery(text: string): string {
  return encodeURIComponent(text).replace(/%(24|40|3A|2C|2F)/g, decodeURIComponent);
}
