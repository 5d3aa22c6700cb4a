import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';

const read = (...path: string[]) => readFileSync(join(projectFolder, ...path), 'utf8');
const alerts = read('ops', 'prometheus', 'alerts.yml');

test.each([
  ['the dashboard', read('ops', 'grafana', 'almanac.json')],
  ['the alerts', alerts],
])('%s asks for series that the programs show', (_, text) => {
  const operations = join('src', 'operations');
  const sources = readdirSync(join(projectFolder, operations)).filter((name) => name.endsWith('.ts'));
  const code = [...sources.map((name) => read(operations, name)), read('worker', 'health.ts')].join('\n');
  const shown = new Set([...code.matchAll(/\balmanac_\w+/g)].map(([name]) => name));
  const asked = [...text.matchAll(/\balmanac_\w+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((name) => !shown.has(name))).toEqual([]);
});

test('every alert says how bad it is and what to do', () => {
  const each = alerts.split(/^ {6}- alert: /m).slice(1);
  expect(each.length).toBeGreaterThan(10);
  for (const alert of each) {
    expect(alert).toMatch(/severity: (info|warning|critical)/);
    expect(alert.split('summary: >-')[1]?.trim().length).toBeGreaterThan(80);
  }
});
