import {
  type ConversionRequest,
  conversionTarget,
  encoded,
  type SeriesRequest,
  seriesTarget,
} from './requests.js';

/** One request in a form to be copied. */
export interface Snippet {
  name: 'URL' | 'curl' | 'Python' | 'TypeScript' | 'Google Sheets' | 'Excel';
  text: string;
}

/** What the forms of a request make of its response. */
interface Use {
  /** What Python prints of the parsed response. */
  pythonPart: string;
  /** What TypeScript names, and the type of the parsed response. */
  pattern: string;
  value: string;
  type: string;
}

const ROWS: Use = {
  pythonPart: '',
  pattern: 'rows',
  value: 'rows',
  type: '{ date: string; quote: string; rate: number }[]',
};

/** A conversion in every form. `origin` is where the service is, such as `http://localhost:8080`. */
export function conversionSnippets(origin: string, request: ConversionRequest): Snippet[] {
  const { base, quote, date, amount } = request;
  const use = {
    pythonPart: '["result"]',
    pattern: '{ result }',
    value: 'result',
    type: '{ result: string }',
  };
  const number = `${origin}/v2/rate/${base}/${quote}.txt${date ? `?date=${encoded(date)}` : ''}`;
  const times = /^-?[\d.]+$/.test(amount) ? amount : '1';
  return [
    ...programSnippets(origin + conversionTarget(request), use),
    { name: 'Google Sheets', text: `=${times}*IMPORTDATA("${number}")` },
    { name: 'Excel', text: `=${times}*NUMBERVALUE(WEBSERVICE("${number}"),".")` },
  ];
}

/** A pair's rows in every form. */
export function seriesSnippets(origin: string, request: SeriesRequest): Snippet[] {
  const table = origin + seriesTarget(request, 'stats', '.csv');
  return [...programSnippets(origin + seriesTarget(request), ROWS), ...tableSnippets(table)];
}

/** The newest rates of a base in every form. */
export function newestSnippets(origin: string, base: string): Snippet[] {
  return [
    ...programSnippets(`${origin}/v2/rates?base=${base}`, ROWS),
    ...tableSnippets(`${origin}/v2/rates.csv?base=${base}`),
  ];
}

/** A table as a formula. Excel's WEBSERVICE reads 32,767 characters at most. */
function tableSnippets(url: string): Snippet[] {
  return [
    { name: 'Google Sheets', text: `=IMPORTDATA("${url}")` },
    { name: 'Excel', text: `=TEXTSPLIT(WEBSERVICE("${url}"),",",CHAR(10))` },
  ];
}

function programSnippets(url: string, { pythonPart, pattern, value, type }: Use): Snippet[] {
  return [
    { name: 'URL', text: url },
    { name: 'curl', text: `curl '${url}'` },
    {
      name: 'Python',
      text: `import json, urllib.request\n\nwith urllib.request.urlopen("${url}") as response:\n    print(json.load(response)${pythonPart})`,
    },
    {
      name: 'TypeScript',
      text: `const response = await fetch('${url}');\nconst ${pattern} = (await response.json()) as ${type};\nconsole.log(${value});`,
    },
  ];
}
