import * as z from 'zod';
import { defineRoute, type Route, type RouteDescription } from '../../http/route.js';

const IN_PATHS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  agency: ['`ALMANAC`, `ECB`, `all` or `*`', 'ALMANAC'],
  component: ['A dimension, `all` or `*`', 'CURRENCY'],
  context: ['`dataflow` or `*`', 'dataflow'],
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

interface Asked<Query> extends Required<Pick<Route<Query>, 'query' | 'handle'>> {
  examples?: Readonly<Record<string, string>>;
}

export function sdmxRoute<Query>(
  path: string,
  description: RouteDescription,
  { query, handle, examples = {} }: Asked<Query>,
): Route {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const [description, example] = IN_PATHS[name] ?? [];
    return [name, z.string().meta({ description, examples: [examples[name] ?? example] })];
  });
  const params = z.object(Object.fromEntries(parameters));
  const described = { ...description, tags: ['SDMX'], params };
  return defineRoute({ path, limit: 'currency', query, description: described, handle });
}
