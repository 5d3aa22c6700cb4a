import { describe, expect, it } from 'vitest';
import { dayNumber, fromDayNumber } from '../../../../core/domain/dates.js';
import { answers } from '../routes/golden.js';
import { ask, dialectsOn, routes } from './in-process.js';

// Files of the European Central Bank.

const FILES = '/ecb/stats/eurofxref';
const NAMESPACES =
  'xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"';
const COLUMNS =
  'USD,JPY,BGN,CYP,CZK,DKK,EEK,GBP,HUF,LTL,LVL,MTL,PLN,ROL,RON,SEK,SIT,SKK,CHF,ISK,NOK,HRK,RUB,TRL,TRY,AUD,BRL,CAD,CNY,HKD,IDR,ILS,INR,KRW,MXN,MYR,NZD,PHP,SGD,THB,ZAR';

/** The line of a day in the history, by the rates that it has. */
function historyLine(date: string, rates: Readonly<Record<string, string>>): string {
  const cells = COLUMNS.split(',').map((code) => rates[code] ?? 'N/A');
  return `${date},${cells.join()},\n`;
}

answers(routes, {
  // A line for each currency, single quotes, and the zeros at the end of a rate.
  [`${FILES}/eurofxref-daily.xml`]: `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope ${NAMESPACES}>
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-03-19'>
			<Cube currency='USD' rate='1.1546'/>
			<Cube currency='GBP' rate='0.86730'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`,
  // A line for each day, double quotes, no zeros.
  [`${FILES}/eurofxref-hist-90d.xml`]: `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope ${NAMESPACES}><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube><Cube time="2026-03-19"><Cube currency="USD" rate="1.1546"/><Cube currency="GBP" rate="0.8673"/></Cube>
<Cube time="2026-03-18"><Cube currency="USD" rate="1.1537"/><Cube currency="IDR" rate="19543"/></Cube>
<Cube time="2026-03-06"><Cube currency="USD" rate="1.1561"/><Cube currency="JPY" rate="182.33"/><Cube currency="GBP" rate="0.86675"/></Cube>
<Cube time="2026-03-03"><Cube currency="USD" rate="1.16"/></Cube>
<Cube time="2026-03-02"><Cube currency="USD" rate="1.1698"/><Cube currency="GBP" rate="0.87"/></Cube></Cube></gesmes:Envelope>`,
  [`${FILES}/eurofxref.csv`]: 'Date, USD, GBP, \n19 March 2026, 1.1546, 0.86730, \n',
  [`${FILES}/eurofxref-hist.csv`]: [
    `Date,${COLUMNS},\n`,
    historyLine('2026-03-19', { USD: '1.1546', GBP: '0.8673' }),
    historyLine('2026-03-18', { USD: '1.1537', IDR: '19543' }),
    historyLine('2026-03-06', { USD: '1.1561', JPY: '182.33', GBP: '0.86675' }),
    historyLine('2026-03-03', { USD: '1.16' }),
    historyLine('2026-03-02', { USD: '1.1698', GBP: '0.87' }),
  ].join(''),
  // The blend has values of the days before, and currencies that the bank lacks behind those that it has.
  '/ecb/blend/stats/eurofxref/eurofxref-daily.xml': expect.stringMatching(
    /name>Almanac<.*time='2026-03-19'.*USD' rate='1.1546'.*JPY' rate='182.33'.*GBP' rate='0.86730'.*IDR' rate='19543.00'.*AED' rate='4.240268'/s,
  ),
  '/ecb/blend/stats/eurofxref/eurofxref-hist-90d.xml': expect.stringMatching(
    /<Cube time="2026-03-08"><Cube currency="USD" rate="1.1561"\/>/,
  ),
  '/ecb/blend/stats/eurofxref/eurofxref-hist.csv': expect.stringMatching(
    new RegExp(`^Date,${COLUMNS},AED,AWG,.*\n2026-03-04,1.16,N/A,.*N/A,4.2601,2.0764,`, 's'),
  ),
  '/ecb/blend/rss/fxref-aed.html': expect.stringMatching(
    />4.240268 AED = 1 EUR 2026-03-19 Almanac Reference rate<.*<link>\/currency\/AED#2026-03-19</s,
  ),
  [`${FILES}/eurofxref-hist-30d.xml`]: '404 no file eurofxref-hist-30d.xml',
  [`${FILES}/eurofxref-daily.csv`]: '404 no file eurofxref-daily.csv',
  [`${FILES}/eurofxref-daily.zip`]: '404 no file eurofxref-daily.zip',
  '/ecb/rss/usd.html': '404 no file usd.html',
  '/ecb/rss/fxref-eur.html': '404 no rates for fxref-eur.html',
  '/ecb/rss/fxref-aed.html': '404 no rates for fxref-aed.html',
  '/ecb/rss/fxref-xxy.html': '404 no rates for fxref-xxy.html',
});

describe('the feed of a currency', () => {
  it('has five days at most', async () => {
    const days = ['02', '03', '04', '05', '06', '09'].map((day) => `ECB 2026-03-${day} EUR/CZK 24.3${day}`);
    const { text, type } = await dialectsOn(days, '2026-03-10').ask('/ecb/rss/fxref-CZK.html');
    expect(type).toBe('application/rss+xml; charset=utf-8');
    const dates = [...text.matchAll(/<dc:date>(.*?)T14:15:00\+01:00</g)].map(([, date]) => date);
    expect(dates).toEqual(['2026-03-09', '2026-03-06', '2026-03-05', '2026-03-04', '2026-03-03']);
    const url = '/currency/CZK#2026-03-09';
    expect(text).toContain(`<rdf:li rdf:resource="${url}" />`);
    expect(text).toContain(`<item rdf:about="${url}">
<title xml:lang="en">24.309 CZK = 1 EUR 2026-03-09 ECB Reference rate</title>
<link>${url}</link>`);
    expect(text).toContain(
      '<cb:value frequency="daily" decimals="3">24.309</cb:value><cb:baseCurrency unit_mult="0">EUR</cb:baseCurrency><cb:targetCurrency>CZK</cb:targetCurrency><cb:rateType>Reference rate</cb:rateType>',
    );
  });
});

it('ninety days end with the newest rates, which may be a year old', async () => {
  const today = '2026-03-20';
  const ago = (days: number) => fromDayNumber(dayNumber(today) - days);
  const on = (...days: number[]) =>
    dialectsOn(
      days.map((each) => `ECB ${ago(each)} EUR/USD 1.25`),
      today,
    );
  for (const newest of [0, 3, 200]) {
    const { text } = await on(newest, newest + 89, newest + 90).ask(`${FILES}/eurofxref-hist-90d.xml`);
    const dates = [...text.matchAll(/time="(.*?)"/g)].map(([, date]) => date);
    expect(dates).toEqual([ago(newest), ago(newest + 89)]);
  }
  const statuses = [365, 366].map(async (days) => (await on(days).ask(`${FILES}/eurofxref.csv`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 404]);
});

it('a file without rates is an error, also in an archive', async () => {
  const empty = dialectsOn([], '2026-03-20');
  for (const file of [
    'eurofxref-daily.xml',
    'eurofxref-hist.xml',
    'eurofxref-hist.csv',
    'eurofxref-hist.zip',
  ])
    for (const folder of [FILES, '/ecb/blend/stats/eurofxref'])
      expect(await empty.ask(`${folder}/${file}`)).toMatchObject({
        status: 404,
        message: `no rates for ${file}`,
      });
});

it('errors are plain text', async () => {
  const { text, type, cacheControl } = await ask(`${FILES}/nothing.xml`);
  expect([text, type, cacheControl]).toEqual([
    'no file nothing.xml\n',
    'text/plain; charset=utf-8',
    'no-store',
  ]);
});
