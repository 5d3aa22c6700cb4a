import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../../core/process/project-files.js';

const read = (...path: string[]) => readFileSync(join(projectFolder, ...path), 'utf8');

/** Names of the series that the programs show, as their sources give them. */
function shown(): Set<string> {
  const sources = readdirSync(join(projectFolder, 'src', 'operations'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('src', 'operations', name));
  const names = [...sources, join('worker', 'metrics.ts')].flatMap((path) => [
    ...read(path).matchAll(/name: '(almanac_\w+)'/g),
  ]);
  return new Set(names.map(([, name = '']) => name));
}

test.each([
  ['the dashboard', ['ops', 'grafana', 'almanac.json']],
  ['the alerts', ['ops', 'prometheus', 'alerts.yml']],
])('%s asks for series that there are', (_, path) => {
  const asked = new Set(
    [...read(...path).matchAll(/\balmanac_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
  );
  expect(asked.size).toBeGreaterThan(5);
  expect([...asked].filter((name) => !shown().has(name))).toEqual([]);
});

test('every alert says how bad it is and what to do', () => {
  const alerts = read('ops', 'prometheus', 'alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  expect(alerts.length).toBeGreaterThan(10);
  for (const alert of alerts) {
    expect(alert).toMatch(/severity: (info|warning|critical)/);
    expect(alert.split('summary: >-')[1]?.trim().length).toBeGreaterThan(80);
  }
});
