import type { BodyForm } from './form.js';
import { inAnotherForm, isNumberText, NO_NUMBER } from './values.js';

/** XML: names are those of elements and attributes, without their prefix. It has no columns. */
export const xmlForm: BodyForm = {
  same: (text) => text,
  numbersGone: (text) => valuesChanged(text, (value) => (isNumberText(value) ? NO_NUMBER : value)),
  datesChanged: (text) => valuesChanged(text, inAnotherForm),
  names(text) {
    const names = new Set<string>();
    for (const [tag] of text.matchAll(TAG)) {
      for (const [, , name = ''] of tag.matchAll(NAME)) if (!tag.startsWith('<?')) names.add(name);
    }
    return [...names];
  },
  renamed: (text, names) =>
    text.replace(TAG, (tag) =>
      tag.startsWith('<?')
        ? tag
        : tag.replace(NAME, (whole, before: string, name: string) =>
            names.has(name) ? `${before}${name}_new` : whole,
          ),
    ),
  noted: (text) => text.replace(/<\/[^<>]+>\s*$/, (end) => `<note>Provisional figures</note>${end}`),
};

/** A tag, but for comments and declarations. */
const TAG = /<(?!!)[^<>]*>/g;
/** The name of an element or attribute after what stands before it; namespaces are no names of the source's. */
const NAME = /(<\/?(?:[\w-]+:)?|\s(?!xmlns)(?:[\w-]+:)?)([\w-]+)(?=[\s/>]|="|='|$)(?!="https?:)/g;

function valuesChanged(text: string, change: (value: string) => string): string {
  return text
    .replace(/>([^<>]+)</g, (_, value: string) => `>${change(value)}<`)
    .replace(/(<\w[^<>]*>)/g, (tag) =>
      tag.replace(
        /(\s[\w:-]+)="([^"<>]*)"/g,
        (_, name: string, value: string) => `${name}="${change(value)}"`,
      ),
    );
}
