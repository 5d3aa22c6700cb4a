import { beforeAll } from 'vitest';
import type { RawRow } from '../../../core/domain/blend/carry-forward.js';
import { sharedApi } from '../../support/shared.js';
import { row } from '../rates/sources/in-memory.js';

/** What a browser accepts. */
export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** The pages of the service, each in a typical form. */
export const PAGES = [
  '/',
  '/status',
  '/currencies',
  '/providers',
  '/currency/CHF',
  '/provider/ECB',
  '/rules',
  '/docs',
];

/** Enough for every page. */
export const FEW_RATES = [
  'ECB 2026-03-19 EUR/USD 1.15',
  'ECB 2026-03-20 EUR/USD 1.1563',
  'ECB 2026-03-20 EUR/CHF 0.91',
];

export interface Page {
  status: number;
  headers: Headers;
  text: string;
}

/** Asks as the browser of a reader in Britain does, unless the headers say otherwise. Follows no redirect. */
export async function pageAt(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const sent = { accept: BROWSER, 'accept-language': 'en-GB', ...headers };
  const response = await fetch(url, { headers: sent, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: breaking(await response.text()) };
}

/** With plain spaces, also within dates. */
export const breaking = (text: string) => text.replaceAll('\u00a0', ' ');

/** The pages over rates that no test changes, such as `ECB 2026-03-20 EUR/USD 1.15`. */
export function pagesOver(
  rates: readonly (string | RawRow)[],
  now: string,
  variables: Readonly<Record<string, string>> = {},
) {
  const rows = rates.map((one) => (typeof one === 'string' ? row(one) : one));
  const pages = {
    url: '',
    get: (path: string, language = 'en-GB') => pageAt(pages.url + path, { 'accept-language': language }),
    textOf: async (path: string, language?: string) => (await pages.get(path, language)).text,
  };
  beforeAll(async () => {
    pages.url = (await sharedApi(rows, { now, variables })).url;
  });
  return pages;
}
