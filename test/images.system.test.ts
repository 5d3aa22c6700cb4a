import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../core/process/project-files.js';
import { serverSource } from './support/server-source.js';

const MEGABYTE = 1e6;
const soon = { timeout: 240_000, interval: 1_000 };

/** What a command of Docker prints. */
async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: projectFolder });
  return stdout.trim();
}

const read = (file: string) => readFile(join(projectFolder, file), 'utf8');

describe.skipIf(serverSource() !== 'containers')('the images', { timeout: 600_000 }, () => {
  const images = { programs: '', solo: '' };

  beforeAll(async () => {
    const release = await docker('buildx', 'bake', '--file', 'ops/docker-bake.hcl', '--print');
    const { target } = JSON.parse(release) as { target: Record<keyof typeof images, { tags: string[] }> };
    for (const name of ['programs', 'solo'] as const) {
      images[name] = target[name].tags.at(-1) ?? '';
      await docker('build', '--quiet', '--tag', images[name], '--target', name, '.');
    }
  }, 900_000);

  it('have the names that are documented', async () => {
    expect(await read('docker-compose.yml')).toContain(`:-${images.programs}}\n`);
    expect(await read('README.md')).toMatch(new RegExp(`^docker run .* ${images.solo}$`, 'm'));
  });

  it('are small: that of both programs below 300 MB', async () => {
    const size = await docker('image', 'inspect', '--format', '{{.Size}}', images.programs);
    expect(Number(size) / MEGABYTE).toBeLessThan(300);
  });

  it('list the packages that they run, with licences', async () => {
    const bill = await docker('run', '--rm', images.programs, 'cat', 'dist/sbom.cdx.json');
    const { components, dependencies: needs, ...head } = JSON.parse(bill);
    const component = { name: 'almanac', type: 'application' };
    expect(head).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', metadata: { component } });
    const refs = [head.metadata.component, ...components].map((one) => one['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { ref, dependsOn } of needs) expect(refs).toEqual(expect.arrayContaining([ref, ...dependsOn]));
    for (const { purl, licenses } of components)
      expect([purl, licenses.length > 0]).toEqual([expect.stringMatching(/^pkg:npm\//), true]);
    const names = components.map(({ name }: { name: string }) => name);
    const { dependencies } = JSON.parse(await read('package.json'));
    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names).not.toContain('vitest');
  });

  it('keep the heap of a program well below the memory of its container', async () => {
    const command = await docker('image', 'inspect', '--format', '{{json .Config.Cmd}}', images.programs);
    const flags = (JSON.parse(command) as string[]).filter((part) => part.startsWith('--'));
    const look = "console.log(require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20)";
    const node = [...flags, '-e', look];
    const limit = await docker('run', '--rm', '--memory', '256m', images.programs, 'node', ...node);
    expect(Number(limit)).toBeLessThan(160);
  });

  it('say so where the memory is too little for the whole service, and do not start it', async () => {
    const limited: unknown = await docker('run', '--rm', '--memory', '256m', images.solo).catch(
      (error: unknown) => error,
    );
    expect(limited).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('almanac: the memory is limited to 256 MB: '),
    });
  });

  describe('the whole service in one container', () => {
    let container = '';
    beforeAll(async () => {
      const safe = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'];
      const offline = ['--env', 'SCHEDULE=off'];
      container = await docker('run', '--detach', '--publish', '8080', ...safe, ...offline, images.solo);
    });
    afterAll(async () => {
      if (container !== '') await docker('rm', '--force', '--volumes', container);
    });

    const inside = (command: string) => docker('exec', container, 'sh', '-c', command);
    const readiness = () =>
      inside(
        `node -e "fetch('http://127.0.0.1:8080/health/ready').then((r) => r.json()).then((b) => console.log(b.status), () => console.log('away'))"`,
      );

    it('serves the rates that ship, on the published port', async () => {
      const [address = ''] = (await docker('port', container, '8080')).split('\n');
      const url = `http://127.0.0.1:${address.split(':').at(-1)}/v2/rates?quotes=USD`;
      // Docker accepts connections before a program in the container does.
      const rates = async () => (await fetch(url, { signal: AbortSignal.timeout(5_000) })).json();
      await expect
        .poll(rates, soon)
        .toEqual([expect.objectContaining({ base: 'EUR', quote: 'USD', rate: expect.any(Number) })]);
    });

    it('leaves no process behind that has ended, also where PostgreSQL is killed', async () => {
      await expect.poll(readiness, soon).toBe('ready');
      const server = await inside('head -1 /data/postgres/postmaster.pid');
      await inside(`kill -9 ${server}`);
      await expect.poll(() => inside('head -1 /data/postgres/postmaster.pid || true'), soon).not.toBe(server);
      await expect.poll(readiness, soon).toBe('ready');
      await expect
        .poll(() => inside(`cat /proc/[0-9]*/stat 2> /dev/null | grep -c ') Z ' || true`), soon)
        .toBe('0');
    });

    it('has its volume to itself, and tells others who uses it and where commands can run', async () => {
      const volume = ['run', '--rm', '--volumes-from', container, '--env', 'SCHEDULE=off', images.solo];
      const holder = await inside('cat /data/lock');
      const name = container.slice(0, 12);
      expect(holder).toMatch(new RegExp(`^process \\d+ on ${name}$`));
      for (const command of [[], ['node', 'dist/worker/cli/main.js', 'rates', 'export']]) {
        const refused: unknown = await docker(...volume, ...command).catch((error: unknown) => error);
        expect(refused).toMatchObject({
          code: 78,
          stderr: expect.stringMatching(new RegExp(`is in use by ${holder}: .*docker exec`)),
        });
      }
      // An export is refused until the older decades are loaded.
      const oldest = 'http://127.0.0.1:8080/v2/rates?date=1971-01-04';
      await expect
        .poll(() => inside(`node -e "fetch('${oldest}').then(({ status }) => console.log(status))"`), {
          ...soon,
          timeout: 480_000,
        })
        .toBe('200');
      const lines = await inside('node dist/worker/cli/main.js rates export | wc -l');
      expect(Number(lines)).toBeGreaterThan(800_000);
      expect(await readiness()).toBe('ready');
    });

    it('ends cleanly within the time that `docker stop` gives by itself', async () => {
      await docker('stop', container);
      expect(await docker('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
      expect(await docker('logs', container)).not.toContain('unexpectedly, restarting');
    });
  });
});
