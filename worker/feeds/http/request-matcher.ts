import { decoded } from '../../../core/http-client/secrets.js';

export interface RequestParts {
  method: string;
  url: string;
  body?: string | undefined;
}

export type MatchableRequest = ReturnType<typeof matchableRequest>;

export function matchableRequest(request: RequestParts) {
  const { method, body = '' } = request;
  const url = new URL(request.url);
  const path = decoded(url.pathname);
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`);
  const place = `${method} ${url.host} ${path}`;
  return {
    /** Method, URL and body, with sorted query parameters. */
    key: [place, ...query.toSorted(), squeezed(body)].join('\n'),
    place,
    host: url.host,
    /** `name=value` of every parameter in the query and in the body, in any body format, including repeated ones. */
    parameters: [...query.map((pair) => `?${pair}`), ...bodyParameters(body)],
  };
}

/** The number of parameters that two requests have in common. */
export function sharedParameters(one: MatchableRequest, other: MatchableRequest): number {
  const left = [...other.parameters];
  let shared = 0;
  for (const parameter of one.parameters) {
    const at = left.indexOf(parameter);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared;
}

/** The number of leading path segments that two requests have in common. */
export function sharedStart(one: MatchableRequest, other: MatchableRequest): number {
  const [parts, others] = [one.place.split('/'), other.place.split('/')];
  const differs = parts.findIndex((part, at) => part !== others[at]);
  return differs < 0 ? parts.length : differs;
}

function bodyParameters(body: string): string[] {
  const text = body.trim();
  if (text === '') return [];
  if (text.startsWith('<')) return xmlLeaves(text);
  if (/^[[{]/.test(text)) return jsonLeaves(parsed(text), '');
  return [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`);
}

/** Elements that contain only text, by local name. They distinguish one SOAP call from another. */
function xmlLeaves(text: string): string[] {
  return [...text.matchAll(/<(?:[\w.-]+:)?([\w.-]+)[^<>]*>([^<]*)<\//g)].map(
    ([, name, value]) => `${name}=${value?.trim()}`,
  );
}

function jsonLeaves(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [`${path}=${String(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => jsonLeaves(inner, `${path}/${key}`));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** White space between elements is insignificant. */
function squeezed(body: string): string {
  return body.replace(/\s+/g, ' ').trim();
}
