import { type CheerioAPI, load } from 'cheerio';
import { XMLValidator } from 'fast-xml-parser';
import { excerpt, FeedError } from '../feed-error.js';
import type { HttpAnswer } from '../http/client.js';
import { occursMoreThan } from './bounds.js';
import { textOf } from './page-guard.js';

/** An element of a document. Names are local, without namespaces and prefixes. */
export class XmlElement {
  constructor(
    readonly name: string,
    readonly attributes: ReadonlyMap<string, string>,
    readonly children: readonly XmlElement[],
    /** The element's own text, including CDATA, trimmed. */
    readonly ownText: string,
  ) {}

  /** A short form of the element, for messages. */
  toJSON(): string {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${value}"`).join('');
    const inner = this.children.map((child) => child.toJSON()).join('');
    return `<${this.name}${attributes}>${this.ownText}${inner}</${this.name}>`;
  }

  attribute(name: string): string | undefined {
    return this.attributes.get(name);
  }

  /** The elements at the end of a path such as `Body/Rates/Rate`, in order. */
  all(path: string): readonly XmlElement[] {
    return path
      .split('/')
      .reduce<readonly XmlElement[]>(
        (elements, name) =>
          elements.flatMap((element) => element.children.filter((child) => child.name === name)),
        [this],
      );
  }

  /** The first element at the end of a path. */
  first(path: string): XmlElement | undefined {
    return this.all(path)[0];
  }

  /** The only child with this name. Throws a FeedError if there is none, or another one. */
  only(name: string): XmlElement {
    const [element, ...others] = this.all(name);
    if (!element || others.length > 0) {
      throw new FeedError(
        `${others.length + (element ? 1 : 0)} elements ${name} in ${this.name}, where one is expected`,
      );
    }
    return element;
  }

  /** The text of the first element at the end of a path; undefined if there is no such element. */
  text(path: string): string | undefined {
    return this.first(path)?.ownText;
  }
}

const MOST_TAGS = 400_000;

/** The root of an XML response. Throws a FeedError if it is not XML or its root has another name. */
export function xmlRoot(answer: HttpAnswer, name: string, charset?: string): XmlElement {
  return parseXml(textOf(answer, 'XML', charset), name, answer.url);
}

/** Like xmlRoot, for a document inside another one. `source` is its origin in messages. */
export function parseXml(text: string, name: string, source: string): XmlElement {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
    throw new FeedError(
      `${source}: responded with a document type where ${name} was expected: blocked or moved (${excerpt(text)})`,
    );
  }
  if (occursMoreThan(text, '<', MOST_TAGS))
    throw new FeedError(`${source}: a document of more than ${MOST_TAGS} tags`);
  const root = elementsOf(text, name, source)[0];
  if (root?.name !== name) {
    throw new FeedError(`${source}: the root is ${root?.name ?? 'missing'}, not ${name} (${excerpt(text)})`);
  }
  return root;
}

function elementsOf(text: string, name: string, source: string): XmlElement[] {
  const valid = XMLValidator.validate(text);
  if (valid !== true) {
    throw new FeedError(
      `${source}: not well-formed XML where ${name} is expected: ${excerpt(valid.err.msg)} (${excerpt(text)})`,
    );
  }
  try {
    return toElements(load(text, { xml: true }).root().contents().toArray());
  } catch (cause) {
    // Such as elements that are nested deeper than the stack.
    throw new FeedError(`${source}: XML that can't be read (${excerpt(text)})`, { cause });
  }
}

type Node = ReturnType<ReturnType<CheerioAPI['root']>['contents']>[number];

function toElements(nodes: readonly Node[]): XmlElement[] {
  return nodes.flatMap((node) => {
    if (node.type !== 'tag') return [];
    const attributes = Object.entries(node.attribs).map(([name, value]) => [localName(name), value] as const);
    const text = node.children.map(textIn).join('').trim();
    return new XmlElement(localName(node.name), new Map(attributes), toElements(node.children), text);
  });
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function textIn(node: Node): string {
  if (node.type === 'cdata') return node.children.map(textIn).join('');
  return node.type === 'text' ? node.data : '';
}
