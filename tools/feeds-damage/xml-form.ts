import type { BodyForm, Change } from './form.js';
import { isNumberText } from './values.js';

/** XML: names are those of elements and attributes, without their prefix. It has no columns. */
export const xmlForm: BodyForm = {
  same: (text) => text,
  numbersChanged: (text, change) =>
    valuesChanged(text, (value) => (isNumberText(value) ? change(value) : value)),
  textsChanged: valuesChanged,
  names(text) {
    const names = new Set<string>();
    inside(text, (own) => {
      for (const [tag] of own.matchAll(TAG)) {
        for (const [, , name = ''] of tag.matchAll(NAME)) if (!tag.startsWith('<?')) names.add(name);
      }
      return own;
    });
    return [...names];
  },
  renamed: (text, names) =>
    inside(text, (own) =>
      own.replace(TAG, (tag) =>
        tag.startsWith('<?')
          ? tag
          : tag.replace(NAME, (whole, before: string, name: string) =>
              names.has(name) ? `${before}${name}_new` : whole,
            ),
      ),
    ),
  removed(text, names) {
    const some = [...names].join('|');
    return inside(text, (own) =>
      own
        .replace(new RegExp(`<((?:[\\w-]+:)?(?:${some}))(?:\\s[^<>]*)?(?<!/)>[\\s\\S]*?</\\1>`, 'g'), '')
        .replace(new RegExp(`<(?:[\\w-]+:)?(?:${some})(?:\\s[^<>]*)?/>`, 'g'), '')
        .replace(new RegExp(`\\s(?:${some})="[^"]*"`, 'g'), ''),
    );
  },
  renamespaced: (text) => inside(text, (own) => own.replace(/(\sxmlns(?::\w+)?=")([^"]*)"/g, '$1$2/new"')),
  noted: (text) => text.replace(/<\/[^<>]+>\s*$/, (end) => `<note>Provisional figures</note>${end}`),
  recordsChanged: (text, change) =>
    inside(text, (own) => {
      const names = new Set([...own.matchAll(/<([\w:.-]+)/g)].map(([, name = '']) => name));
      const lists = [...names].map(
        (name) => own.match(new RegExp(`<${name}[\\s>][^]*?</${name}>\\s*`, 'g')) ?? [],
      );
      const long = lists.filter((list) => list.length > 1);
      // Of the elements that repeat, those with most text are the records.
      const records = long.toSorted((one, other) => other.join('').length - one.join('').length)[0] ?? [];
      const [first = '', last = ''] = [records[0], records.at(-1)];
      const [start, end] = [own.indexOf(first), own.lastIndexOf(last) + last.length];
      return own.slice(0, start) + change(records).join('') + own.slice(end);
    }),
};

/** A tag, but for comments and declarations. */
const TAG = /<(?!!)[^<>]*>/g;
/** The name of an element or attribute after what stands before it; namespaces are no names of the source's. */
const NAME = /(<\/?(?:[\w-]+:)?|\s(?!xmlns)(?:[\w-]+:)?)([\w-]+)(?=[\s/>]|="|='|$)(?!="https?:)/g;

function valuesChanged(text: string, change: Change): string {
  return inside(text, (own) =>
    own
      .replace(/>([^<>]+)</g, (_, value: string) => `>${change(value)}<`)
      .replace(/(<\w[^<>]*>)/g, (tag) =>
        tag.replace(
          /(\s[\w:-]+)="([^"<>]*)"/g,
          (_, name: string, value: string) => `${name}="${change(value)}"`,
        ),
      ),
  );
}

/** Changes the document that stands as text inside another one, where there is one, else the text itself. */
function inside(text: string, change: Change): string {
  const inner = /&lt;[\s\S]*&gt;/.exec(text)?.[0];
  if (inner === undefined) return change(text);
  const plain = inner.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
  return text.replace(inner, () => change(plain).replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
}
