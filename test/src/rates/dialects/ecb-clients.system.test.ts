import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import ecbApi from 'ecb-api';
import { fetchHistoric, fetchHistoric90d, fetch as fetchNewest } from 'ecb-euro-exchange-rates';
import ecbExchangeRates from 'ecb-exchange-rates';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { unzip } from '../../../../worker/feeds/toolbox/workbook.js';
import { sharedApi } from '../../../support/shared.js';
import { rowsOf } from '../sources/in-memory.js';

// Programs that read the files of the European Central Bank: nothing is changed but the host.

const BANK = 'https://www.ecb.europa.eu';
const rows = rowsOf([
  ...['ECB 1999-01-04 EUR/USD 1.1789', 'ECB 1999-01-04 EUR/CYP 0.58231', 'ECB 2026-03-06 EUR/USD 1.16'],
  ...['ECB 2026-03-06 EUR/JPY 182.3', 'ECB 2026-03-09 EUR/USD 1.17', 'ECB 2026-03-09 EUR/GBP 0.868'],
]);
const MONDAY = { USD: 1.17, GBP: 0.868 };
const FRIDAY = { USD: 1.16, JPY: 182.3 };
const FIRST = { USD: 1.1789, CYP: 0.58231 };

let host: string;
beforeAll(async () => {
  const { url } = await sharedApi(rows, { now: '2026-03-10T18:00:00Z' });
  host = `${url}/ecb`;
});

describe('ecb-euro-exchange-rates', () => {
  const { fetch } = globalThis;
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    ['the newest day', fetchNewest, { time: '2026-03-09', rates: MONDAY }],
    [
      'ninety days',
      fetchHistoric90d,
      [
        { time: '2026-03-09', rates: MONDAY },
        { time: '2026-03-06', rates: FRIDAY },
      ],
    ],
    [
      'all days',
      fetchHistoric,
      [
        { time: '2026-03-09', rates: MONDAY },
        { time: '2026-03-06', rates: FRIDAY },
        { time: '1999-01-04', rates: FIRST },
      ],
    ],
  ])('reads %s', async (_, read, expected) => {
    vi.stubGlobal('fetch', (url: string) => fetch(url.replace(BANK, host)));
    expect(await read()).toEqual(expected);
  });
});

// Each keeps what it has read, so it reads only once here.
describe('a client whose address is a setting', () => {
  beforeAll(() => {
    for (const { settings } of [ecbExchangeRates, ecbApi])
      settings.url = settings.url.replace('http://www.ecb.int', host);
  });

  it('ecb-exchange-rates converts an amount', async () => {
    const asked = { fromCurrency: 'GBP', toCurrency: 'USD', amount: 100, accuracy: 4 };
    const converted = await new Promise((done) => {
      ecbExchangeRates.convert(asked, done);
    });
    expect(converted).toEqual({ currency: 'USD', exchangeRate: 1.3479, amount: 134.7926 });
  });

  it('ecb-api reads the rates of a base', async () => {
    const read = await new Promise<{ currency: string; rate: string }[]>((done) => {
      ecbApi.getAll('USD', done);
    });
    const rates = Object.fromEntries(read.map(({ currency, rate }) => [currency, Number(rate)]));
    expect(rates).toEqual({ USD: 1, GBP: 1.3479, EUR: 1.17 });
  });
});

/** Reads as other programs do: by SAX, by paths of elements in a namespace, as a table in an archive, and as RDF. */
const READERS = {
  // The ECB provider of Odoo's currency_rate_update, and JavaMoney's ECBCurrentRateProvider and its two others.
  sax: `
class Handler(xml.sax.ContentHandler):
    def startElement(self, name, attrs):
        if name == "Cube" and "time" in attrs:
            self.date = attrs["time"]
        if name == "Cube" and "currency" in attrs:
            found.setdefault(self.date, {})[attrs["currency"]] = float(attrs["rate"])
xml.sax.parseString(body, Handler())`,
  // Odoo's currency_rate_live.
  tree: `
root = xml.etree.ElementTree.fromstring(body)
spaces = {"gesmes": "http://www.gesmes.org/xml/2002-08-01", "e": "http://www.ecb.int/vocabulary/2002-08-01/eurofxref"}
assert root.find("gesmes:Sender/gesmes:name", spaces).text == "European Central Bank"
for day in root.findall("e:Cube/e:Cube", spaces):
    found[day.get("time")] = {one.get("currency"): float(one.get("rate")) for one in day.findall("e:Cube[@currency]", spaces)}`,
  // CurrencyConverter: a day in either form, and N/A for what is missing.
  archive: `
archive = zipfile.ZipFile(io.BytesIO(body))
[name] = archive.namelist()
names.append(name)
head, *lines = archive.read(name).decode().splitlines()
columns = [name.strip() for name in head.split(",")]
for line in lines:
    date, *values = [value.strip() for value in line.split(",")]
    if not date[:4].isdigit():
        date = datetime.datetime.strptime(date, "%d %B %Y").date().isoformat()
    found[date] = {code: float(value) for code, value in zip(columns[1:], values) if value not in ("", "N/A")}`,
  rdf: `
bank = {"r": "http://purl.org/rss/1.0/", "dc": "http://purl.org/dc/elements/1.1/", "cb": "http://www.cbwiki.net/wiki/index.php/Specification_1.1"}
for item in xml.etree.ElementTree.fromstring(body).findall("r:item", bank):
    rate = item.find("cb:statistics/cb:exchangeRate", bank)
    found[item.find("dc:date", bank).text[:10]] = {rate.find("cb:targetCurrency", bank).text: float(rate.find("cb:value", bank).text)}`,
};
const python = '/usr/bin/python3';

describe.skipIf(spawnSync(python, ['--version']).error)('a program in Python', () => {
  async function read(reader: keyof typeof READERS, path: string): Promise<unknown> {
    const opening =
      'import datetime, io, json, sys, urllib.request, xml.etree.ElementTree, xml.sax, zipfile\nfound, names = {}, []\nbody = urllib.request.urlopen(sys.argv[1]).read()';
    const code = `${opening}${READERS[reader]}\nprint(json.dumps([*names, found]))`;
    return JSON.parse((await promisify(execFile)(python, ['-c', code, host + path])).stdout);
  }
  const files = '/stats/eurofxref/eurofxref';
  const history = { '2026-03-09': MONDAY, '2026-03-06': FRIDAY, '1999-01-04': FIRST };

  it.each(['sax', 'tree'] as const)('reads XML by %s', async (reader) => {
    expect(await read(reader, `${files}-daily.xml`)).toEqual([{ '2026-03-09': MONDAY }]);
    expect(await read(reader, `${files}-hist-90d.xml`)).toEqual([
      { '2026-03-09': MONDAY, '2026-03-06': FRIDAY },
    ]);
    expect(await read(reader, `${files}-hist.xml`)).toEqual([history]);
  });

  it('reads archives', async () => {
    expect(await read('archive', `${files}.zip`)).toEqual(['eurofxref.csv', { '2026-03-09': MONDAY }]);
    expect(await read('archive', `${files}-hist.zip`)).toEqual(['eurofxref-hist.csv', history]);
  });

  it('reads a feed', async () => {
    expect(await read('rdf', '/rss/fxref-usd.html')).toEqual([
      { '2026-03-09': { USD: 1.17 }, '2026-03-06': { USD: 1.16 } },
    ]);
  });
});

it('an archive has the bytes of the bare file, and the same bytes each time', async () => {
  const bytesOf = async (file: string) =>
    Buffer.from(await (await fetch(`${host}/stats/eurofxref/${file}`)).arrayBuffer());
  for (const name of ['eurofxref', 'eurofxref-hist']) {
    const archive = await bytesOf(`${name}.zip`);
    expect(await unzip(archive, /\.csv$/)).toEqual(new Map([[`${name}.csv`, await bytesOf(`${name}.csv`)]]));
    expect(await bytesOf(`${name}.zip`)).toEqual(archive);
  }
});
