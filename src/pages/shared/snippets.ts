import { type RatesFormat, type RatesRequest, ratesTarget } from './rates-request.js';
import {
  type ConversionRequest,
  conversionTarget,
  encoded,
  type SeriesRequest,
  seriesTarget,
} from './requests.js';

export interface Snippet {
  name: 'URL' | 'curl' | 'Python' | 'TypeScript' | 'Google Sheets' | 'Excel';
  text: string;
}

const RESULT = {
  imports: 'json',
  python: 'print(json.load(response)["result"])',
  typeScript: `const { result } = (await response.json()) as { result: string };
console.log(result);`,
};

const ROWS: Readonly<Record<RatesFormat, typeof RESULT>> = {
  json: {
    imports: 'json',
    python: 'print(json.load(response))',
    typeScript: `const rows = (await response.json()) as { date: string; quote: string; rate: number }[];
console.log(rows);`,
  },
  csv: {
    imports: 'csv, io',
    python: `for row in csv.DictReader(io.TextIOWrapper(response)):
        print(row)`,
    typeScript: `const lines = (await response.text()).trim().split('\\n');
console.log(lines.map((line) => line.split(',')));`,
  },
  ndjson: {
    imports: 'json',
    python: `for line in response:
        print(json.loads(line))`,
    typeScript: `const lines = (await response.text()).trim().split('\\n');
console.log(lines.map((line) => JSON.parse(line)));`,
  },
};

/** `origin` is that of the service, such as `http://localhost:8080`. */
export function conversionSnippets(origin: string, request: ConversionRequest): Snippet[] {
  const { base, quote, date, amount } = request;
  const number = `${origin}/v2/rate/${base}/${quote}.txt${date ? `?date=${encoded(date)}` : ''}`;
  const times = /^-?[\d.]+$/.test(amount) ? amount : '1';
  return [
    ...programSnippets(origin + conversionTarget(request), RESULT),
    { name: 'Google Sheets', text: `=${times}*IMPORTDATA("${number}")` },
    { name: 'Excel', text: `=${times}*NUMBERVALUE(WEBSERVICE("${number}"),".")` },
  ];
}

export function seriesSnippets(origin: string, request: SeriesRequest): Snippet[] {
  const table = origin + seriesTarget(request, 'stats', '.csv');
  return [...programSnippets(origin + seriesTarget(request), ROWS.json), ...tableSnippets(table)];
}

/** Spreadsheets get CSV, whatever the format of the request. */
export function ratesSnippets(origin: string, request: RatesRequest): Snippet[] {
  return [
    ...programSnippets(origin + ratesTarget(request), ROWS[request.format]),
    ...tableSnippets(origin + ratesTarget(request, 'csv')),
  ];
}

/** Formulas for a table. Excel's WEBSERVICE reads 32,767 characters at most. */
function tableSnippets(url: string): Snippet[] {
  return [
    { name: 'Google Sheets', text: `=IMPORTDATA("${url}")` },
    { name: 'Excel', text: `=TEXTSPLIT(WEBSERVICE("${url}"),",",CHAR(10))` },
  ];
}

function programSnippets(url: string, { imports, python, typeScript }: typeof RESULT): Snippet[] {
  return [
    { name: 'URL', text: url },
    { name: 'curl', text: `curl '${url}'` },
    {
      name: 'Python',
      text: `import ${imports}, urllib.request

with urllib.request.urlopen("${url}") as response:
    ${python}`,
    },
    {
      name: 'TypeScript',
      text: `const response = await fetch('${url}');
${typeScript}`,
    },
  ];
}
