import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GenericContainer, type StartedTestContainer } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';
import { freePort } from '../../../tools/rehearse/free-port.js';
import { someRates, storeRows } from '../../support/rates.js';
import { serverSource } from '../../support/server-source.js';
import { type OperatedApi, operatedApi } from './support.js';

const FOLDER = '/etc/prometheus';
const read = (...path: string[]) => readFileSync(join(projectFolder, 'ops', ...path), 'utf8');
const configuration = read('prometheus', 'prometheus.yml');

describe.skipIf(serverSource() !== 'containers')('Prometheus', { timeout: 120_000 }, () => {
  let run: OperatedApi;
  let prometheus: StartedTestContainer;
  let url: string;
  const ask = async (path: string) => (await fetch(url + path)).json() as Promise<{ data: unknown }>;

  beforeAll(async () => {
    run = await operatedApi(false);
    await storeRows(run.database, someRates('2026-03-16'));
    await run.api.catchUp();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    prometheus = await new GenericContainer('prom/prometheus')
      .withNetworkMode('host') // To scrape the API of this process, which only this machine can reach.
      .withCopyContentToContainer([
        { content: here(configuration, run.api.url), target: `${FOLDER}/prometheus.yml` },
        { content: read('prometheus', 'alerts.yml'), target: `${FOLDER}/alerts.yml` },
      ])
      .withEntrypoint(['prometheus'])
      .withCommand([
        `--config.file=${FOLDER}/prometheus.yml`,
        '--storage.tsdb.path=/tmp/prometheus',
        `--web.listen-address=127.0.0.1:${port}`,
      ])
      .start();
    await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200));
  }, 180_000);
  afterAll(async () => {
    await prometheus?.stop();
    await run?.close();
  });

  test('reads the metrics', async () => {
    const activeTargets = [{ health: 'up', lastError: '' }];
    await expect.poll(() => ask('/api/v1/targets')).toMatchObject({ data: { activeTargets } });
    const names = ['almanac_snapshot_version', 'almanac_data_version', 'almanac_provider_status'];
    await expect
      .poll(async () => (await ask('/api/v1/label/__name__/values')).data)
      .toEqual(expect.arrayContaining(names));
  });

  test('understands every query of the dashboard', async () => {
    const { panels } = JSON.parse(read('grafana', 'almanac.json')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(queries.length).toBeGreaterThan(20);
    for (const query of queries) {
      const reply = await ask(`/api/v1/query?query=${encodeURIComponent(query)}`);
      expect([query, reply]).toMatchObject([query, { status: 'success' }]);
    }
  });
});

/** The configuration with one API in place of those that Docker's name server knows, looked at every second. */
function here(text: string, apiUrl: string): string {
  const targets = `static_configs:\n      - targets: ["${new URL(apiUrl).host}"]\n`;
  const found = text
    .replace(/dns_sd_configs:\n(?: {6}.*\n)+/, targets)
    .replaceAll('_interval: 15s', '_interval: 1s');
  expect(found).toContain(`targets: ["127.0.0.1`);
  return found;
}
