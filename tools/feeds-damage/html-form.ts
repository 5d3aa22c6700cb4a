import { type Cheerio, type CheerioAPI, load } from 'cheerio';
import type { BodyForm, Change } from './form.js';
import { isNumberText } from './values.js';

type Element = ReturnType<CheerioAPI>[0];

/** Web pages: names are the headings of tables, columns those of tables without spans. */
export const htmlForm: BodyForm = {
  same: (text) => pageOf(text).html(),
  numbersChanged: (text, change) =>
    textsChanged(text, (value) => (isNumberText(clean(value)) ? change(clean(value)) : value)),
  textsChanged,
  names(text) {
    const page = pageOf(text);
    return [...new Set(headings(page).map((cell) => clean(page(cell).text())))].filter(
      (name) => name !== '' && !isNumberText(name),
    );
  },
  renamed(text, names) {
    const page = pageOf(text);
    for (const cell of headings(page)) {
      const name = clean(page(cell).text());
      if (names.has(name)) page(cell).text(`${name} new`);
    }
    return page.html();
  },
  removed(text, names) {
    const page = pageOf(text);
    page('table').each((_, table) => {
      const rows = page(table).find('tr').toArray();
      const labels = rows.map((row) => page(row).children('td, th').toArray());
      const gone = new Set(
        labels.flatMap((cells) =>
          cells.flatMap((cell, at) => (names.has(clean(page(cell).text())) ? [at] : [])),
        ),
      );
      for (const cell of labels.flatMap((cells) => cells.filter((_, at) => gone.has(at))))
        page(cell).remove();
    });
    return page.html();
  },
  swapped: (text, which) =>
    rowsChanged(text, (cells, isHeading) => {
      if (which === 'without headings') {
        if (!isHeading && cells.length > 1) cells.eq(0).before(cells.eq(1));
      } else if (cells.length > 2) cells.eq(-2).before(cells.eq(-1));
    }),
  inserted: (text, at) =>
    rowsChanged(text, (cells, isHeading, page) => {
      const cell = isHeading ? page('<th>New</th>') : page('<td>1.2345</td>');
      if (at === 0) cells.eq(0).before(cell);
      else cells.eq(0).after(cell);
    }),
  noted(text) {
    const page = pageOf(text);
    page('table').each((_, table) => {
      const rows = page(table).find('tr');
      rows.eq(Math.ceil(rows.length / 2)).after('<tr><td>Note: provisional figures</td></tr>');
    });
    return page.html();
  },
  recordsChanged(text, change) {
    const page = pageOf(text);
    page('table').each((_, table) => {
      const rows = page(table).find('tr').toArray();
      const records = rows.filter((row, at) => at > 0 && page(row).children('td').length > 0);
      const after = page('<tr></tr>').insertBefore(records[0] ?? []);
      const copies = change(records).map((row) => page(row).clone());
      for (const record of records) page(record).remove();
      for (const copy of copies) after.before(copy);
      after.remove();
    });
    return page.html();
  },
};

function pageOf(text: string): CheerioAPI {
  return load(text, { xml: { xmlMode: false, decodeEntities: false } });
}

function headings(page: CheerioAPI): Element[] {
  const firstRows = page('table')
    .toArray()
    .flatMap((table) => page(table).find('tr').first().find('td, th').toArray());
  return [...new Set([...page('th').toArray(), ...firstRows])] as Element[];
}

function rowsChanged(
  text: string,
  change: (cells: Cheerio<NonNullable<Element>>, isHeading: boolean, page: CheerioAPI) => void,
): string {
  const page = pageOf(text);
  page('table').each((_, table) => {
    page(table)
      .find('tr')
      .each((at, row) => {
        const cells = page(row).children('td, th') as Cheerio<NonNullable<Element>>;
        const isHeading = at === 0 || page(row).children('td').length === 0;
        if (cells.length > 0 && page(row).find('[colspan], [rowspan]').length === 0)
          change(cells, isHeading, page);
      });
  });
  return page.html();
}

function textsChanged(text: string, change: Change): string {
  return text.replace(/>([^<>]+)</g, (_, value: string) => `>${change(value)}<`);
}

function clean(text: string): string {
  return text
    .replace(/&nbsp;|\s|\xc2\xa0|\xa0/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
