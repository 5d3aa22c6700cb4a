import type { BodyForm } from './form.js';
import { inAnotherForm, isNumberText, NO_NUMBER } from './values.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const NEW_PRICE = '1.2345';
const NOTE = 'Note: provisional figures';

/** JSON: names are keys, columns the places in lists of lists. */
export const jsonForm: BodyForm = {
  same: (text) => changed(text, (value) => value),
  numbersGone: (text) =>
    changed(text, (value) =>
      typeof value === 'number' || (typeof value === 'string' && isNumberText(value)) ? NO_NUMBER : value,
    ),
  datesChanged: (text) =>
    changed(text, (value) =>
      typeof value === 'string'
        ? inAnotherForm(value)
        : isCompactDate(value)
          ? inAnotherForm(`${value}`)
          : value,
    ),
  names(text) {
    const names = new Set<string>();
    changed(text, (value) => {
      if (isObject(value)) for (const name of Object.keys(value)) names.add(name);
      return value;
    });
    return [...names];
  },
  renamed: (text, names) =>
    changed(text, (value) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [names.has(name) ? `${name}_new` : name, inner]),
          )
        : value,
    ),
  swapped: (text, headings) =>
    headings === 'with headings'
      ? changed(text, (value) =>
          isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
        )
      : rowsChanged(text, ([first = null, second = null, ...rest]) => [second, first, ...rest]),
  inserted: (text) => rowsChanged(text, ([first = null, ...rest]) => [first, NEW_PRICE, ...rest]),
  noted: (text) =>
    changed(text, (value) => {
      if (!Array.isArray(value)) return value;
      const [like] = value;
      if (!isObject(like) && !Array.isArray(like)) return value;
      const note = Array.isArray(like)
        ? like.map((cell, at) => (at === 0 ? NOTE : typeof cell === 'string' ? '' : null))
        : Object.fromEntries(
            Object.entries(like).map(([name, inner], at) => [
              name,
              at === 0 ? NOTE : typeof inner === 'string' ? '' : null,
            ]),
          );
      const middle = Math.ceil(value.length / 2);
      return [...value.slice(0, middle), note, ...value.slice(middle)];
    }),
};

/** Changes the cells of every list that stands in a list: a table without names. */
function rowsChanged(text: string, change: (row: Json[]) => Json[]): string {
  return changed(text, (value) =>
    Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row) && row.length > 1)
      ? value.map((row) => change(row as Json[]))
      : value,
  );
}

function changed(text: string, change: (value: Json) => Json): string {
  const walk = (value: Json): Json => {
    const after = change(value);
    if (Array.isArray(after)) return after.map(walk);
    return isObject(after)
      ? Object.fromEntries(Object.entries(after).map(([name, inner]) => [name, walk(inner)]))
      : after;
  };
  return JSON.stringify(walk(JSON.parse(text.replace(/^\xef\xbb\xbf/, '')) as Json));
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCompactDate(value: Json): boolean {
  return typeof value === 'number' && inAnotherForm(`${value}`) !== `${value}`;
}
