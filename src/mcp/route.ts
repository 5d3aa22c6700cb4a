import type { Config } from '../../core/process/config.js';
import type { MakeContent } from '../http/dispatcher.js';
import { HttpError } from '../http/errors.js';
import { defineRoute, type Route } from '../http/route.js';
import { type Tool, type ToolOptions, toolOver } from './tool.js';

const LARGEST_BODY = 64 * 1024;

interface Dependencies {
  config: Pick<Config, 'MCP'>;
  makeContent: MakeContent;
}

/** Empty if disabled. */
export function mcpRoutes({ config, makeContent }: Dependencies, routes: readonly Route[]): Route[] {
  const hosts = config.MCP;
  if (hosts === false) return [];
  const tools = toolsOver(routes, makeContent);
  const protocol = () => import('./protocol.js');
  return [
    defineRoute({
      method: 'post',
      path: '/mcp',
      limit: 'mcp',
      body: 'json',
      largestBody: LARGEST_BODY,
      async guard(context) {
        (await protocol()).refuseForeignPage(context, hosts);
      },
      async handle(_, context) {
        if (Array.isArray(context.body)) throw new HttpError(400, 'send one message per request');
        return (await protocol()).replyToMessage(tools, context);
      },
    }),
  ];
}

type Definition = ToolOptions & { path: string };

const RATES = '/v2/rates';
const PAIRS = ['base', 'quotes', 'providers'];

const TOOLS: readonly Definition[] = [
  {
    path: RATES,
    name: 'rates',
    title: 'Exchange rates of a day',
    description:
      'The newest exchange rates, or those as of a date. One unit of base costs rate units of quote; each row has the date of its rate.',
    parameters: [...PAIRS, 'date', 'when', 'as_of', 'precision'],
  },
  {
    path: '/v2/convert/:base/:quote',
    name: 'convert',
    title: 'An amount in another currency',
    description:
      'Converts an amount in decimal arithmetic, at the newest rate, at that of a date, or at the one that a law wants. The result tells the rate, and the date on which it was observed.',
    parameters: ['amount', 'date', 'when', 'providers', 'as_of', 'rule', 'period', 'from', 'to'],
  },
  {
    path: RATES,
    name: 'series',
    title: 'Exchange rates over a range of days',
    description:
      'Daily exchange rates from one day to another, or their means by week, month, quarter or year. Name few quotes and group long ranges: long results are refused.',
    parameters: [...PAIRS, 'from', 'to', 'group', 'fill', 'expand', 'precision', 'as_of'],
    required: ['quotes', 'from'],
  },
  {
    path: '/v2/rate/:base/:quote',
    name: 'source',
    title: 'Where a rate comes from',
    description:
      'The rate of a pair with the rate of every official source, which of them were left out as outliers, how far they are apart, and how old the newest is.',
    parameters: ['date', 'when', 'providers', 'as_of'],
    always: { expand: 'providers,quality' },
  },
  {
    path: '/v2/providers/:key',
    name: 'provider',
    title: 'What a source is',
    description:
      'The official source of a key, such as ECB: who it is, what it publishes and since when, its terms, and how fresh its rates are.',
  },
  {
    path: '/v2/currencies',
    name: 'currencies',
    title: 'Which currencies there are',
    description:
      'Every currency with rates: its code, name and symbol, and the first and last day of its rates. Use it to find the code of a currency.',
    parameters: ['scope', 'providers'],
  },
  {
    path: '/v2/currency/:code',
    name: 'currency',
    title: 'What a currency is',
    description:
      'One currency, also one that is retired: its name, its peg, the sources that publish it, and the first and last day of its rates.',
  },
  {
    path: '/v2/coverage',
    name: 'coverage',
    title: 'Since when and until when there are rates',
    description:
      'The first and the last day with a rate between base and quotes, of all sources or of some. Use it before a long series, or when there is no rate on a day.',
    parameters: PAIRS,
  },
];

/** Throws if a route is missing. */
function toolsOver(routes: readonly Route[], makeContent: MakeContent): Tool[] {
  return TOOLS.map(({ path, ...options }) => {
    const route = routes.find((one) => one.method === 'get' && one.path === path);
    if (!route) throw new Error(`there is no route ${path}`);
    return toolOver(route, makeContent, options);
  });
}
