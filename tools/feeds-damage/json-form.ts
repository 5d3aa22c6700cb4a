import { type BodyForm, endsOf } from './form.js';
import { isNumberText } from './values.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const MOST_ELEMENTS = 400;
const NEW_PRICE = '1.2345';
const NOTE = 'Note: provisional figures';

/** JSON: names are keys, columns the places in lists of lists. */
export const jsonForm: BodyForm = {
  same: (text) => changed(text, (value) => value),
  numbersChanged: (text, change) =>
    changed(text, (value) => {
      if (typeof value === 'number') return ownNumber(change(String(value)));
      return typeof value === 'string' && isNumberText(value) ? change(value) || null : value;
    }),
  textsChanged: (text, change) =>
    changed(text, (value) => {
      if (typeof value === 'string') return change(value);
      return typeof value === 'number' && Number.isInteger(value) ? ownNumber(change(`${value}`)) : value;
    }),
  names(text) {
    const names = new Set<string>();
    fieldsChanged(text, (fields) => {
      for (const [name] of fields) names.add(name);
      return fields;
    });
    return [...names];
  },
  renamed: (text, names) =>
    fieldsChanged(text, (fields) =>
      fields.map(([name, inner]) => [names.has(name) ? `${name}_new` : name, inner]),
    ),
  removed: (text, names) => fieldsChanged(text, (fields) => fields.filter(([name]) => !names.has(name))),
  swapped: (text, headings) =>
    headings === 'with headings'
      ? fieldsChanged(text, (fields) => fields.reverse())
      : rowsChanged(text, ([first = null, second = null, ...rest]) => [second, first, ...rest]),
  inserted: (text, at) => rowsChanged(text, (row) => row.toSpliced(at, 0, NEW_PRICE)),
  retyped: (text) =>
    changed(text, (value) => {
      if (typeof value === 'number') return String(value);
      return typeof value === 'string' && isNumberText(value) ? ownNumber(value.trim()) : value;
    }),
  noted: (text) =>
    changed(text, (value) => {
      const [like] = Array.isArray(value) ? value : [];
      if (!Array.isArray(value) || !isRecord(like)) return value;
      const blank = (cell: Json, at: number) => (at === 0 ? NOTE : typeof cell === 'string' ? '' : null);
      const note = Array.isArray(like)
        ? like.map(blank)
        : Object.fromEntries(Object.entries(like).map(([name, inner], at) => [name, blank(inner, at)]));
      return value.toSpliced(Math.ceil(value.length / 2), 0, note);
    }),
  shortened: (text) =>
    changed(text, (value) => (Array.isArray(value) ? endsOf(value, MOST_ELEMENTS) : value)),
  recordsChanged: (text, change) =>
    changed(text, (value) => (Array.isArray(value) && isRecord(value[0]) ? change(value) : value)),
};

function fieldsChanged(text: string, change: (fields: [string, Json][]) => [string, Json][]): string {
  return changed(text, (value) =>
    isObject(value) ? Object.fromEntries(change(Object.entries(value))) : value,
  );
}

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

function isRecord(value: Json | undefined): value is Json[] | { [key: string]: Json } {
  return Array.isArray(value) || isObject(value);
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number where the text is one, else the text; null where it is blank. */
function ownNumber(text: string): Json {
  return text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text;
}
