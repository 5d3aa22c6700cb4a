import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GenericContainer, type StartedTestContainer } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { projectFolder } from '../../../core/process/project-files.js';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { someRates, storeRows } from '../../support/rates.js';
import { serverSource } from '../../support/server-source.js';
import { type OperatedApi, operatedApi } from './support.js';

const IMAGE = 'prom/prometheus';
const FOLDER = '/etc/prometheus';
const soon = { timeout: 60_000, interval: 250 };

const read = (...path: string[]) => readFileSync(join(projectFolder, 'ops', ...path), 'utf8');
const configuration = read('prometheus', 'prometheus.yml');
const alerts = read('prometheus', 'alerts.yml');

const rulesReply = z.object({
  data: z.object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ name: z.string(), health: z.string(), lastError: z.string().optional() })),
      }),
    ),
  }),
});
const targetsReply = z.object({
  data: z.object({ activeTargets: z.array(z.object({ health: z.string(), lastError: z.string() })) }),
});
const namesReply = z.object({ data: z.array(z.string()) });
const dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

describe.skipIf(serverSource() !== 'containers')('Prometheus', { timeout: 120_000 }, () => {
  let run: OperatedApi;
  let prometheus: StartedTestContainer;
  let url: string;

  beforeAll(async () => {
    run = await operatedApi(false);
    await storeRows(run.database, someRates('2026-03-16'));
    await run.api.catchUp();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = await new GenericContainer(IMAGE)
      .withNetworkMode('host') // To scrape the API of this process, which only this machine can reach.
      .withCopyContentToContainer([
        { content: configuration, target: `${FOLDER}/shipped.yml` },
        { content: here(configuration, run.api.url), target: `${FOLDER}/prometheus.yml` },
        { content: alerts, target: `${FOLDER}/alerts.yml` },
      ])
      .withEntrypoint(['prometheus'])
      .withCommand([
        `--config.file=${FOLDER}/prometheus.yml`,
        '--storage.tsdb.path=/tmp/prometheus',
        `--web.listen-address=127.0.0.1:${port}`,
      ])
      .start();
    await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), soon);
  }, 180_000);

  afterAll(async () => {
    await prometheus?.stop();
    await run?.close();
  });

  const ask = async (path: string) => (await fetch(`${url}${path}`)).json();

  test('takes the configuration and the alerts as they ship', async () => {
    const { exitCode, output } = await prometheus.exec([
      'promtool',
      'check',
      'config',
      `${FOLDER}/shipped.yml`,
    ]);
    expect([exitCode, output]).toEqual([0, expect.stringContaining('rules found')]);
  });

  test('reads the metrics', async () => {
    await vi.waitFor(async () => {
      const { activeTargets } = targetsReply.parse(await ask('/api/v1/targets')).data;
      expect(activeTargets).toEqual([{ health: 'up', lastError: '' }]);
    }, soon);
    await vi.waitFor(async () => {
      const names = namesReply.parse(await ask('/api/v1/label/__name__/values')).data;
      expect(names).toEqual(
        expect.arrayContaining([
          'almanac_snapshot_version',
          'almanac_data_version',
          'almanac_provider_status',
        ]),
      );
    }, soon);
  });

  test('evaluates every alert', async () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    await vi.waitFor(async () => {
      const rules = rulesReply.parse(await ask('/api/v1/rules')).data.groups.flatMap((group) => group.rules);
      expect(rules.map(({ name }) => name)).toEqual(names);
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    }, soon);
  });

  test('understands every query of the dashboard', async () => {
    const { panels } = dashboard.parse(JSON.parse(read('grafana', 'almanac.json')));
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    for (const query of queries) {
      expect([query, await ask(`/api/v1/query?query=${encodeURIComponent(query)}`)]).toMatchObject([
        query,
        { status: 'success' },
      ]);
    }
  });
});

/** The configuration with one API in place of those that Docker's name server knows, looked at every second. */
function here(text: string, apiUrl: string): string {
  const found = text
    .replace(
      /dns_sd_configs:\n(?: {6}.*\n)+/,
      `static_configs:\n      - targets: ["${new URL(apiUrl).host}"]\n`,
    )
    .replaceAll('_interval: 15s', '_interval: 1s');
  expect(found).toContain(`targets: ["127.0.0.1`);
  return found;
}
