import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { sharedApi } from '../../support/shared.js';

const LINTER = '@redocly/cli@2';

interface Findings {
  problems: { ruleId: string; location: { pointer: string }[] }[];
}

it('Redocly finds nothing in the document but two paths of ExchangeRate-API', async (context) => {
  const hasRegistry = spawnSync('npm', ['view', LINTER, 'version']).status === 0;
  context.skip(!hasRegistry, 'there is no registry for npm');
  const variables = { ADMIN_TOKEN: 'a token for this test' };
  const { url } = await sharedApi([], { now: '2026-03-20T12:00:00Z', variables });
  const folder = await mkdtemp(join(tmpdir(), 'almanac-lint-'));
  try {
    await writeFile(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = ['lint', 'openapi.json', '--format=json', '--max-problems=1000'];
    const { stdout } = await promisify(execFile)('npx', ['--yes', LINTER, ...options], { cwd: folder, env });
    const { problems } = JSON.parse(stdout) as Findings;
    const found = problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer]);
    expect(found).toEqual([['no-ambiguous-paths', '#/paths/~1er~1v6~1{key}~1codes']]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
