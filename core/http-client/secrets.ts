import type { HttpRequest } from './http-request.js';

const SECRET_NAME = /key|token|user|pass|secret|auth|cookie/i;
const MASK = '***';
const SHORTEST_SECRET = 3;

// A name and a value in a query, also of a URL that is itself a percent-encoded parameter. The length of
// names is limited so that no text can make the search slow.
const NAME = String.raw`(?:key|token|user|pass|secret|auth)(?:[\w.~$[\]-]|%(?:25)*5[BD]){0,60}`;
const PLAIN_PAIR = new RegExp(`(${NAME}=)[^&#\\s]*`, 'gi');
const ENCODED_PAIR = new RegExp(`(${NAME}%((?:25)*)3D)(?:(?!%\\2(?:26|23))[^&#\\s])*`, 'gi');
const LOGIN = /(?<=(?::|%3A)(?:\/|%2F){2})[^/?#\s]*@/gi;

/** Removes logins and masks the values of credential parameters, in a URL or a text with URLs. */
export function maskUrl(text: string): string {
  return text.replace(LOGIN, '').replace(PLAIN_PAIR, `$1${MASK}`).replace(ENCODED_PAIR, `$1${MASK}`);
}

export function maskValues(text: string, values: readonly string[]): string {
  return replaceValues(text, new Map(values.map((value) => [value, MASK])));
}

/** Replaces the values plain or with any percent-encoding. */
export function replaceValues(text: string, replacements: ReadonlyMap<string, string>): string {
  // Longest first, because one value may be the prefix of another.
  return [...replacements]
    .toSorted(([one], [other]) => other.length - one.length)
    .reduce((replaced, [value, other]) => replaced.replace(anyEncoding(value), () => other), text);
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

export function secretsOf({ url, headers = {}, body = '' }: HttpRequest): string[] {
  const login = /^[a-z][\w+.-]*:\/\/([^/?#\s]*)@/i.exec(url)?.[1] ?? '';
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  const pairs = [
    ...Object.entries(headers),
    ...new URLSearchParams(query),
    ...new URLSearchParams(/^[\w.~%+-]+=/.test(body) ? body : ''),
  ];
  return [
    ...login.split(':').map(decoded),
    // Of `Basic abc` and `Bearer abc` only `abc`.
    ...pairs.flatMap(([name, value]) => (isSecretName(name) ? value.replace(/^(?:basic|bearer) /i, '') : [])),
  ].filter((value) => value.length >= SHORTEST_SECRET);
}

function anyEncoding(value: string): RegExp {
  const characters = [...value].map((character) => {
    const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
    const plain = `\\u{${character.codePointAt(0)?.toString(16)}}`;
    // The encoded form first, because an encoded percent sign starts with a plain one.
    return `(?:${bytes.join('')}|${plain}${character === ' ' ? '|\\+' : ''})`;
  });
  return new RegExp(characters.join(''), 'giu');
}

/** The percent-decoded text; the text itself if it is badly encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
