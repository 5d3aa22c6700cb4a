import * as z from 'zod';
import { defineRoute, type Route, type RouteDescription } from '../../http/route.js';

const IN_PATHS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  agency: ['`ALMANAC`, `ECB`, `all` or `*`', 'ALMANAC'],
  component: ['A dimension, `all` or `*`', 'CURRENCY'],
  flow: ['`EXR`; without an agency before it also `AGENCY,EXR` or `AGENCY,EXR,VERSION`', 'EXR'],
  id: ['One or several with `+`, or `all`', 'CL_FREQ'],
  item: ['Codes, concepts or providers with `+`, or `all`', 'D'],
  key: [
    'Frequency (D, W, M, Q, A), quote, base, `SP00` (or `BUY` or `SELL` of a single source), and A (mean) or E (last rate of a period), separated by points. An empty code matches any, except EUR as the base and `SP00`; `+` joins several',
    'D.USD.EUR.SP00.A',
  ],
  provider: ['`all` for the blend, or keys of providers, joined by `+`', 'all'],
  type: [
    'dataflow, datastructure, conceptscheme, codelist, dataproviderscheme or contentconstraint',
    'codelist',
  ],
  version: ['`1.0`, `latest`, `all`, `~` or `*`', '1.0'],
};

/** Returns the route at its path, and at the same path without its last parameters. OpenAPI describes it once. */
export function sdmxRoutesAt<Query>(
  path: string,
  description: RouteDescription,
  answer: Required<Pick<Route<Query>, 'query' | 'handle'>>,
): Route[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const parameters = names.map((name) => {
    const [description, example] = IN_PATHS[name] ?? [];
    return [name, z.string().meta({ description, examples: [example] })];
  });
  const params = z.object(Object.fromEntries(parameters));
  const route = { limit: 'currency' as const, ...answer };
  const shorter = names.slice(1).map((name) => path.slice(0, path.indexOf(`/:${name}`)));
  return [
    defineRoute({ ...route, path, description: { ...description, tags: ['SDMX'], params } }),
    ...shorter.map((path) => defineRoute({ ...route, path })),
  ];
}
