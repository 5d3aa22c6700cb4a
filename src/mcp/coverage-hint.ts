import { HttpError } from '../http/errors.js';
import type { RequestContext } from '../http/route.js';
import { textsOf } from './given-arguments.js';
import type { Tool } from './tool.js';

/** Makes a tool throw an HttpError 404 with the days that have rates for a result without rows. */
export function coverageHint(tool: Tool, coverage: Tool): Tool {
  return {
    ...tool,
    async call(given, context) {
      const text = await tool.call(given, context);
      if (text !== '[]') return text;
      throw new HttpError(404, await daysWithRates(coverage, given, context));
    },
  };
}

interface Coverage {
  base: string;
  quotes: string[] | null;
  providers: string[] | null;
  start_date: string | null;
  end_date: string | null;
}

async function daysWithRates(coverage: Tool, given: unknown, context: RequestContext): Promise<string> {
  const asked = Object.fromEntries(textsOf(given));
  const { base, quotes } = asked;
  // The coverage of several providers covers the rows of all.
  const providers = asked.providers?.includes(',') ? undefined : asked.providers;
  const known = await coverage.call({ base, quotes, providers }, context);
  const { start_date: from, end_date: to, ...of }: Coverage = JSON.parse(known);
  const pair = `rates for ${of.base}${of.quotes ? ` against ${of.quotes.join()}` : ''}`;
  const source = of.providers ? ` by ${of.providers.join()}` : '';
  if (from === null) return `there are no ${pair}${source}`;
  return `no rates on these days: there are ${pair}${source} from ${from} to ${to}`;
}
