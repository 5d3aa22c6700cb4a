import type { Header } from './body.js';
import { AGENCY } from './dataflow.js';

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** The namespaces of SDMX 2.1, by the prefixes used here. */
const NAMESPACES = {
  m: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message',
  c: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common',
  s: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/structure',
  g: 'http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic',
} as const;

export function namespaces(...prefixes: (keyof typeof NAMESPACES)[]): string {
  return prefixes.map((prefix) => ` xmlns:${prefix}="${NAMESPACES[prefix]}"`).join('');
}

/** The header of a message; `content` is what it has besides. */
export function headerXml({ id, prepared }: Header, content = ''): string {
  const test = '<m:Test>false</m:Test>';
  return `<m:Header><m:ID>${id}</m:ID>${test}<m:Prepared>${prepared}</m:Prepared><m:Sender id="${AGENCY}"/>${content}</m:Header>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text as the content of an element. Characters that XML can't represent are replaced. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
