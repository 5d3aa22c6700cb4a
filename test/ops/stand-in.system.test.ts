import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectFolder } from '../../core/process/project-files.js';
import { row } from '../src/rates/sources/in-memory.js';
import { sharedApi } from '../support/shared.js';

interface Service {
  image: string;
  configs?: { target: string }[];
  volumes: string[];
  networks: { 'stand-in': { aliases: string[] } };
}

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const compose = (file: string) => parse(read(file), { merge: true }) as { services: Record<string, Service> };
const proxy = compose('docker-compose.yml').services.proxy;
const standIn = compose('ops/compose/stand-in.yml').services['stand-in'];
const caddyfile = read('ops/compose/stand-in.Caddyfile');

/** The prefix that is put in front of the paths of each host. */
const blocks = [...caddyfile.matchAll(/^(http:.*) \{\n\timport almanac (\S+)\n\}$/gm)];
const prefixes = new Map(
  blocks.flatMap(([, sites = '', prefix = '']) =>
    sites.split(', ').map((site) => [site.replace('http://', ''), prefix]),
  ),
);

describe('the proxy that stands in for other services', () => {
  it('is that of the other files, with a configuration of its own', () => {
    expect(standIn?.image).toBe(proxy?.image);
    const [source, target] = standIn?.volumes[0]?.split(':') ?? [];
    expect(source).toBe('./ops/compose/stand-in.Caddyfile');
    expect(target).toBe(proxy?.configs?.[0]?.target);
  });

  it('has the names of the hosts that it answers for', () => {
    expect(standIn?.networks['stand-in'].aliases.toSorted()).toEqual([...prefixes.keys()].toSorted());
  });

  it('sends each path on to the proxy with the prefix before it, and the query as it is', () => {
    const snippet = '(almanac) {\n\trewrite * {args.0}{path}\n\treverse_proxy proxy:8080\n}\n';
    expect(caddyfile).toContain(snippet);
  });
});

describe('a request to another host', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await sharedApi([row('ECB 2026-03-19 EUR/USD 1.1546')], { now: '2026-03-20T12:00:00Z' }));
  }, 60_000);

  it.each([
    ['data.fixer.io', '/api/latest?access_key=any&base=EUR&symbols=USD', { rates: { USD: 1.1546 } }],
    ['api.currencylayer.com', '/live?access_key=any&source=EUR', { quotes: { EURUSD: 1.1546 } }],
    ['api.exchangerate.host', '/live?access_key=any&source=EUR', { quotes: { EURUSD: 1.1546 } }],
    ['api.frankfurter.dev', '/v1/latest?symbols=USD', { rates: { USD: 1.1546 } }],
    ['api.frankfurter.app', '/latest?to=USD', { rates: { USD: 1.1546 } }],
  ])('%s%s is answered', async (host, target, expected) => {
    const response = await fetch(`${url}${prefixes.get(host)}${target}`);
    expect(await response.json()).toMatchObject(expected);
  });

  it('to the European Central Bank is answered with its file', async () => {
    const path = '/stats/eurofxref/eurofxref-daily.xml';
    const response = await fetch(`${url}${prefixes.get('www.ecb.europa.eu')}${path}`);
    expect(await response.text()).toContain("<Cube currency='USD' rate='1.1546'/>");
  });
});
