import {
  type ConversionRequest,
  conversionTarget,
  type RatesRequest,
  ratesTarget,
  type SeriesRequest,
  seriesTarget,
} from './requests.js';

export interface Snippet {
  name: 'URL' | 'curl' | 'Python' | 'TypeScript' | 'Google Sheets' | 'Excel';
  text: string;
}

const JSON_RESPONSE = {
  imports: 'json',
  python: 'print(json.load(response))',
  typeScript: 'console.log(await response.json());',
};

/** Of CSV and NDJSON. */
const LINES = {
  imports: 'sys',
  python: 'sys.stdout.write(response.read().decode())',
  typeScript: 'console.log(await response.text());',
};

/** `origin` is that of the service, such as `http://localhost:8080`. */
export function conversionSnippets(origin: string, request: ConversionRequest): Snippet[] {
  const { base, quote, date, amount } = request;
  const number = `${origin}/v2/rate/${base}/${quote}.txt${date ? `?${new URLSearchParams({ date })}` : ''}`;
  return [
    ...programSnippets(origin + conversionTarget(request)),
    { name: 'Google Sheets', text: `=${amount}*IMPORTDATA("${number}")` },
    { name: 'Excel', text: `=${amount}*NUMBERVALUE(WEBSERVICE("${number}"),".")` },
  ];
}

export function seriesSnippets(origin: string, request: SeriesRequest): Snippet[] {
  const table = origin + seriesTarget(request, 'stats', '.csv');
  return [...programSnippets(origin + seriesTarget(request)), ...tableSnippets(table)];
}

/** Spreadsheets get CSV, whatever the format of the request. */
export function ratesSnippets(origin: string, request: RatesRequest): Snippet[] {
  return [
    ...programSnippets(origin + ratesTarget(request), request.format === 'json' ? JSON_RESPONSE : LINES),
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

function programSnippets(url: string, { imports, python, typeScript } = JSON_RESPONSE): Snippet[] {
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
