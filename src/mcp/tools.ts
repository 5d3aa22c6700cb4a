import type { Route } from '../http/route.js';
import { type Tool, toolOver } from './tool.js';

/** The tools, each over a route. Throws if there is no such route. */
export function toolsOver(routes: readonly Route[]): Tool[] {
  const at = (path: string) => {
    const route = routes.find((one) => one.method === 'get' && one.path === path);
    if (!route) throw new Error(`there is no route ${path}`);
    return route;
  };
  return [
    toolOver(at('/v2/rates'), {
      name: 'rates',
      title: 'Exchange rates of a day',
      description:
        'The newest exchange rates, or those as of a date. One unit of base costs rate units of quote; each row has the date of its rate.',
      parameters: ['base', 'quotes', 'providers', 'date', 'as_of', 'precision'],
    }),
    toolOver(at('/v2/convert/:base/:quote'), {
      name: 'convert',
      title: 'An amount in another currency',
      description:
        'Converts an amount in decimal arithmetic, at the newest rate or at that of a date. The result tells the rate, and the date on which it was observed.',
      parameters: ['amount', 'date', 'when', 'providers', 'as_of'],
    }),
    toolOver(at('/v2/rates'), {
      name: 'series',
      title: 'Exchange rates over a range of days',
      description:
        'Daily exchange rates from one day to another, or their means by week, month, quarter or year. Name few quotes and group long ranges: long results are refused.',
      parameters: ['base', 'quotes', 'providers', 'from', 'to', 'group', 'fill', 'expand', 'as_of'],
      required: ['quotes', 'from'],
    }),
    toolOver(at('/v2/rate/:base/:quote'), {
      name: 'source',
      title: 'Where a rate comes from',
      description:
        'The rate of a pair with the rate of every official source, which of them were left out as outliers, how far they are apart, and how old the newest is.',
      parameters: ['date', 'providers', 'as_of'],
      always: { expand: ['providers', 'quality'] },
    }),
    toolOver(at('/v2/providers/:key'), {
      name: 'provider',
      title: 'What a source is',
      description:
        'The official source of a key, such as ECB: who it is, what it publishes and since when, its terms, and how fresh its rates are.',
      parameters: [],
    }),
  ];
}
