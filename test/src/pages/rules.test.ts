import { expect, test } from 'vitest';
import { availableRules, NO_LEGAL_ADVICE, rules, unavailableRules } from '../../../core/domain/rules.js';
import { languages } from '../../../src/pages/reader.js';
import { pagesOver } from './support.js';

const RATES = [
  'ECB 2026-02-18 EUR/USD 1.1845',
  'ECB 2026-02-19 EUR/USD 1.19',
  'ECB 2026-03-09 EUR/USD 1.1561',
  'ECB 2026-03-09 EUR/GBP 0.86',
  'ECB 2026-03-09 EUR/PLN 4.2588',
  'ECB 2026-03-10 EUR/USD 1.16',
  'ECB 2026-03-10 EUR/GBP 0.87',
  'NBP 2026-03-09 EUR/PLN 4.2685',
  'HMRC 2026-03-01 GBP/USD 1.3367',
  'BOC 2025-11-14 USD/CAD 1.4',
  'ECB 2025-12-31 EUR/USD 1.17',
];
const pages = pagesOver(RATES, '2026-03-10T17:30:00Z');

/** What the card of a rule says, without its markup. */
function cardOf(page: string, id: string): string {
  const cards = page.match(/<article.*?<\/article>/gs) ?? [];
  const card = cards.find((one) => one.includes(`rule=${id}</code>`)) ?? '';
  return card.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('the page of rules says what each of them gives for a day, by which law, from which source and of which day', async () => {
  const { status, text } = await pages.get('/rules?date=2026-03-10&amount=10000');
  expect(status).toBe(200);
  for (const { id, citation } of availableRules()) expect(cardOf(text, id)).toContain(citation);
  for (const { law } of rules) expect(text).toContain(`<a href="${law}" rel="noreferrer" lang="en"`);
  const customs = cardOf(text, 'eu-customs');
  expect(customs).toContain('Customs value (euro area)');
  expect(customs).toContain('10,000 USD = 8,442.38 EUR 1 USD = 0.844238 EUR on 18 February 2026');
  expect(customs).toContain('European Central Bank');
  expect(cardOf(text, 'pl-vat')).toContain('10,000 EUR = 42,685.00 PLN 1 EUR = 4.2685 PLN on 9 March 2026');
  expect(cardOf(text, 'uk-vat')).toMatch(/[A-Z]{3} on 1 March 2026/);
  expect(cardOf(text, 'eu-grant')).toContain('mean from 1 January 2026 to 10 March 2026');
  for (const { citation, source } of unavailableRules()) {
    expect(text).toContain(citation);
    expect(text).toContain(`A custom source with the key ${source} makes this rule available.`);
  }
  expect(text).toMatch(/<small>European Union<\/small>.*<small>United Kingdom<\/small>/s);
  expect(text).toMatch(/rule=uk-vat<.*rule=ca-income</s);
  expect(await pages.textOf('/currencies')).toContain('<a href="/rules">Rules</a>');
});

test('the page of rules gives what the API answers at the address that it shows', async () => {
  const { text } = await pages.get('/rules?date=2026-03-10&amount=10000');
  const found = [...text.matchAll(/href="(\/v2\/convert\/[^"]+)"/g)];
  const hrefs = found.map(([, href = '']) => href.replaceAll('&amp;', '&'));
  expect(hrefs).toHaveLength(availableRules().length);
  for (const href of hrefs) {
    const response = await fetch(pages.url + href);
    const body = (await response.json()) as { observed: string; rate: number; message: string };
    const card = cardOf(text, new URLSearchParams(href.split('?')[1]).get('rule') ?? '');
    if (response.ok) expect(Number(/1 \w+ = ([\d.]+) /.exec(card)?.[1])).toBeCloseTo(body.rate, 4);
    else expect(card).toMatch(/is not published yet|There is no rate|No rates from its source/);
  }
});

test('the page of rules shows the newest day with a rate without a date, and says where there is none', async () => {
  const text = await pages.textOf('/rules');
  expect(text).toContain(NO_LEGAL_ADVICE);
  expect(text).toContain('on a given day.');
  expect(cardOf(text, 'eu-vat')).toMatch(/[A-Z]{3} on 10 March 2026/);
  expect(cardOf(text, 'pl-vat')).toMatch(/[A-Z]{3} on 9 March 2026/);
  for (const id of ['eu-vat', 'pl-vat', 'eu-customs']) expect(cardOf(text, id)).not.toContain('No rate for');
  const notFor = 'No rate for 10 March 2026 yet. The latest one here is for';
  for (const [id, day] of Object.entries({ 'eu-oss': '31 December 2025', 'ca-income': '14 November 2025' }))
    expect(cardOf(text, id)).toMatch(RegExp(`${notFor} ${day}\\. .* [A-Z]{3} on ${day}`));
  const future = cardOf(await pages.textOf('/rules?date=2026-03-10'), 'eu-oss');
  expect(future).toMatch(/not published yet/i);
  const { text: early } = await pages.get('/rules?date=2026-03-01');
  expect(cardOf(early, 'pl-vat')).toContain('The latest one is from 9 March 2026.');
  expect(future).not.toMatch(/[A-Z]{3} on \d/);
  expect(cardOf(text, 'jp-customs')).toContain('No rates from its source yet.');
});

test('the page of rules is of one country, or of another pair, turned round where that is the half of the usual one', async () => {
  const { text } = await pages.get('/rules?date=2026-03-10&base=eur&amount=1');
  expect(cardOf(text, 'eu-customs')).toContain('1 EUR = 1.18 USD');
  expect(cardOf(text, 'uk-vat')).not.toContain('USD =');
  const both = await pages.get('/rules?date=2026-03-10&base=GBP&quote=USD&amount=1');
  expect(cardOf(both.text, 'uk-customs')).toContain('1 GBP = 1.34 USD 1 GBP = 1.3367 USD');
  expect(both.text).toMatch(/<option value="GBP" selected>/);
  const polish = await pages.textOf('/rules?country=PL');
  expect(polish.match(/(?<=rule=)[\w-]+(?=<)/g)).toEqual(['pl-vat', 'pl-vat-ecb']);
  expect(polish).toContain('<option value="PL" selected>Poland</option>');
  const german = await pages.textOf('/rules?country=DE');
  expect(german).toContain('<strong>Germany: VAT</strong>');
  expect(german).not.toMatch(/<article|United States:/);
});

test.each([
  ['date=2026-02-30', 'The date must have the form YYYY-MM-DD. “2026-02-30” is not a date.'],
  ['amount=ten', '“ten” is not a number.'],
  ['quote=ZZZ', 'There is no currency “ZZZ” here.'],
])('the page of rules says what can not be read of %s, beside the form', async (query, problem) => {
  const { status, text } = await pages.get(`/rules?${query}`);
  expect(status).toBe(422);
  expect(text).toContain(problem);
  expect(text).toContain('<form class="card builder" action="/rules"');
  expect(text).not.toContain('<article');
});

test('the page of rules is in the language of the reader, with the names of laws as they are', async () => {
  const { text } = await pages.get('/rules?date=2026-03-10', 'de');
  expect(text).toContain('Gesetzlich verlangte Kurse');
  expect(text).toContain('<small>Europäische Union</small>');
  const customs = cardOf(text, 'eu-customs');
  expect(customs).toContain('Zollwert, in Staaten mit dem Euro');
  expect(customs).toContain('1.000 USD = 844,24 EUR');
  expect(customs).toContain('Implementing Regulation (EU) 2015/2447, Art. 146');
});

test('the page of rules has messages for the use of every rule, and for why a rule has no rates', () => {
  const uses = rules.map(({ use }) => [`rules.uses.${use}`, use]);
  const reasons = unavailableRules().map(({ id, reason }) => [`rules.reasons.${id}`, reason]);
  const messages = Object.entries(languages.get('en') ?? {});
  const ofRules = messages.filter(([key]) => /^rules\.(uses|reasons)\./.test(key));
  expect(Object.fromEntries(ofRules)).toEqual(Object.fromEntries([...uses, ...reasons]));
  const picks = messages.flatMap(([key]) => /^rules\.picks\.(.*)/.exec(key)?.[1] ?? []);
  expect(new Set(picks)).toEqual(new Set(rules.map(({ day, pick }) => `${day}.${pick}`)));
});
