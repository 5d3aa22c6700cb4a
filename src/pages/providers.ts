import type { PageData } from './data.js';
import type { Page } from './layout.js';
import { stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { type SearchableTable, searchableTable } from './searchable-table.js';
import { html } from './shared/html.js';
import { searchText } from './shared/search-text.js';
import { readSources, type Source, STATES, searchTextOfProvider } from './sources.js';

export async function providersPage(data: PageData, { target, reader }: PageRequest): Promise<Page> {
  const { say } = reader;
  const sources = await readSources(data);
  const table: SearchableTable = {
    path: '/providers',
    target,
    about: 'status',
    look: { card: 'card', table: 'rates listing brief' },
    back: html`<a class="button" href="/providers">${say('status.showAll')}</a>`,
    columns: [
      { name: 'country', label: say('provider.country'), first: 'ascending', classes: 'minor' },
      { name: 'name', label: say('status.column.name'), first: 'ascending' },
      { name: 'state', label: say('status.column.state'), first: 'ascending' },
      { name: 'currencies', label: say('frame.currencies'), first: 'descending', classes: 'number minor' },
      { name: 'since', label: say('currency.since'), first: 'ascending', classes: 'number date minor' },
      { name: 'newest', label: say('status.column.newest'), first: 'descending', classes: 'number date' },
    ],
    usual: 'country',
    lines: sources.map((source) => lineOf(source, reader)),
  };
  return {
    title: say('providers.title'),
    summary: say('providers.summary', { count: sources.length }),
    section: 'providers',
    script: 'listing.ts',
    body: html`<h1>${say('providers.heading')}</h1>
<p class="lead">${say('providers.lead', { count: sources.length })} <a href="/status">${say('status.heading')}</a></p>
${searchableTable(table, reader)}`,
  };
}

function lineOf(source: Source, reader: Reader) {
  const { provider, state } = source;
  const { formats, say } = reader;
  const { key, name, country_code: code, currencies, start_date: since, end_date: newest } = provider;
  const country = code ? formats.country(code) : say('provider.international');
  const dateOf = (date: string | null) => (date ? formats.shortDate(date) : '–');
  return {
    link: html`<a href="/provider/${key}">${name}</a>`,
    searched: searchTextOfProvider(provider, reader),
    keys: {
      name: searchText(name),
      country: searchText(country),
      state: STATES.indexOf(state),
      currencies: currencies.length,
      since,
      newest,
    },
    cells: html`<td class="minor">${country}</td><th scope="row"><a href="/provider/${key}">${name}</a> <small>${key}<span class="narrow"> · ${country}</span></small></th><td>${stateChip(state, say)}</td><td class="number minor">${currencies.length > 0 ? formats.count(currencies.length) : '–'}</td><td class="number date minor">${dateOf(since)}</td><td class="number date">${dateOf(newest)}</td>`,
  };
}
