import { load } from 'cheerio';
import type { BodyForm, Change } from './form.js';
import { gridForm } from './grid-form.js';
import { isNumberText } from './values.js';

/** Web pages: the tables that hold no other table. A cell is its markup. */
export const htmlForm: BodyForm = {
  ...gridForm({
    changed,
    textOf: clean,
    cellOf: (text, like) => (like.every(isHeading) ? `<th>${text}</th>` : `<td>${text}</td>`),
    isLabel: isHeading,
  }),
  numbersChanged: (text, change) =>
    textsChanged(text, (value) => (isNumberText(clean(value)) ? change(clean(value)) : value)),
  textsChanged,
};

function changed(text: string, change: (rows: string[][]) => string[][]): string {
  const page = load(text, { xml: { xmlMode: false, decodeEntities: false } });
  for (const table of page('table').toArray()) {
    if (page(table).find('table').length > 0) continue;
    const places = page(table).find('tr').toArray();
    const tags = places.map((place) => /^<tr[^>]*>/i.exec(page.html(place))?.[0] ?? '<tr>');
    const cells = places.map((place) => page(place).children('td, th').toArray());
    const rows = change(cells.map((row) => row.map((cell) => page.html(cell)))).map(
      (row, at) => `${tags[at] ?? '<tr>'}${row.join('')}</tr>`,
    );
    // Each row takes the place of one that was there; further ones follow the last.
    for (const [at, place] of places.entries()) {
      const isLast = at === places.length - 1;
      page(place).replaceWith(isLast ? rows.slice(at).join('') : (rows[at] ?? ''));
    }
  }
  return page.html();
}

function isHeading(cell: string): boolean {
  return /^<th/i.test(cell);
}

function textsChanged(text: string, change: Change): string {
  return text.replace(/>([^<>]+)</g, (_, value: string) => `>${change(value)}<`);
}

function clean(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;|\s|\xc2\xa0|\xa0/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
