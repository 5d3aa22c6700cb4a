import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Load, startLoad } from '../load.js';
import { waitUntil } from '../wait-until.js';
import { docker } from './docker.js';
import { type Manifest, readManifests } from './manifests.js';
import { flagsOf, type Pod, type PodEnvironment, startPod, untilReady } from './pod.js';
import { openPodService } from './service.js';

const LIMIT_MS = 10 * 60_000;
const READY_MS = 180_000;
const PER_SECOND = 20;
const REPLICAS = 2;
const PATHS = ['/v2/rates', '/v2/rates?base=USD&quotes=EUR,GBP', '/v2/rate/EUR/USD', '/v2/currencies'];

const id = `almanac-pods-${process.pid}`;
const stopping = AbortSignal.timeout(LIMIT_MS);

interface Stage {
  manifest(kind: string, name: string): Manifest;
  around: PodEnvironment;
  /** By the name of their deployment. */
  pods: Map<string, Pod[]>;
}

export const usage = `rehearse-kubernetes

Carries out the manifests of ops/kubernetes by Docker, in the order of a rollout, under requests.
`;

/** Exit code: 1 where a request failed while nothing was killed, or a pod does not become ready; else 0. */
export async function run(): Promise<number> {
  const secrets = await mkdtemp(join(tmpdir(), 'almanac-pods-'));
  try {
    await writeSecrets(secrets);
    await docker('network', 'create', id);
    await startServers();
    const stage = await setStage(secrets);
    const failed = await act(stage);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    print(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
    for (const name of await containers()) print(await docker('logs', '--tail', '5', name).catch(String));
    return 1;
  } finally {
    const left = await containers();
    if (left.length > 0) await docker('rm', '--force', '--volumes', ...left);
    await docker('network', 'rm', id).catch((error: unknown) => print(String(error)));
    await rm(secrets, { recursive: true, force: true });
  }
}

async function act({ manifest, around, pods }: Stage): Promise<number> {
  const deployments = ['almanac-api', 'almanac-worker'];
  const migrate = () =>
    docker('run', '--rm', '--name', `${id}-migrate`, ...flagsOf(manifest('Job', 'almanac-migrate'), around));
  // All that is applied starts at once: the programs wait for the job.
  for (const name of deployments) {
    const started = await Promise.all([1, 2].map((number) => start(name, `${number}`)));
    pods.set(name, started);
  }
  print(`job: ${(await migrate()).split('\n').length} migrations`);
  await Promise.all(
    deployments.flatMap((name) => (pods.get(name) ?? []).map((pod) => untilReady(pod, READY_MS))),
  );
  print(`${REPLICAS} pods of each deployment are ready`);

  const service = await openPodService(() => pods.get('almanac-api') ?? []);
  await waitUntil('rates', async () => (await fetch(`${service.url}/v2/rates`).catch(() => undefined))?.ok, {
    limitMs: READY_MS,
    everyMs: 500,
    signal: stopping,
  });
  const load = startLoad({
    urls: [service.url],
    requests: PATHS.map((path) => ({ path, readsDatabase: false })),
    perSecond: PER_SECOND,
    onFailure: (what) => print(`  ${what}`),
  });
  try {
    let failed = 0;
    const job = await migrate();
    for (const name of deployments) {
      await roll(name);
      failed += tell(`rolled ${name}`, load);
    }
    if (job !== '') throw new Error(`the second job migrated: ${job}`);
    for (const name of deployments) {
      const [pod] = pods.get(name) ?? [];
      await pod?.kill();
      await delay(1_000);
      if (pod) await untilReady(pod, READY_MS);
      tell(`killed ${pod?.name}, which is ready again`, load);
    }
    return failed;
  } finally {
    await load.stop();
    service.close();
    await Promise.all([...pods.values()].flat().map((pod) => pod.stop()));
  }

  function start(name: string, number: string): Promise<Pod> {
    return startPod(`${id}-${name}-${number}`, manifest('Deployment', name), around);
  }

  /** With maxSurge 1 and maxUnavailable 0: a new pod, and when it is ready an old one less. */
  async function roll(name: string): Promise<void> {
    for (let number = 1; number <= REPLICAS; number++) {
      const next = await start(name, `new-${number}`);
      pods.get(name)?.push(next);
      await untilReady(next, READY_MS);
      const old = pods.get(name)?.[0];
      const code = await old?.stop();
      if (code !== 0) throw new Error(`${old?.name} ended with ${code}`);
      pods.get(name)?.shift();
    }
  }
}

function tell(what: string, load: Load): number {
  const { sent, failed, slowest } = load.lap();
  print(`${what}: ${sent} requests, ${failed} failed, the slowest took ${Math.round(slowest)} ms`);
  return failed;
}

async function setStage(secrets: string): Promise<Stage> {
  const manifests = await readManifests('base');
  const manifest: Stage['manifest'] = (kind, name) => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  const settings = { ...manifest('ConfigMap', 'almanac').data, SCHEDULE: 'off' };
  return { manifest, around: { network: id, image: 'almanac', settings, secrets }, pods: new Map() };
}

async function writeSecrets(folder: string): Promise<void> {
  const values = {
    DATABASE_URL: `postgres://almanac:almanac@${id}-postgres:5432/almanac`,
    REDIS_URL: `redis://${id}-redis:6379`,
    ADMIN_TOKEN: randomBytes(18).toString('base64url'),
  };
  await chmod(folder, 0o755); // A pod reads it as another user.
  for (const [name, value] of Object.entries(values))
    await writeFile(join(folder, name), value, { mode: 0o644 });
}

async function startServers(): Promise<void> {
  const server = (name: string, ...words: string[]) =>
    docker('run', '--detach', '--network', id, '--name', `${id}-${name}`, ...words);
  const variables = ['USER', 'DB', 'PASSWORD'].flatMap((name) => ['--env', `POSTGRES_${name}=almanac`]);
  await server('postgres', ...variables, 'postgres:18', 'postgres', '-c', 'max_connections=100');
  await server('redis', 'redis:7-alpine', 'redis-server', '--save', '', '--maxmemory-policy', 'noeviction');
  const isUp = () =>
    docker('exec', `${id}-postgres`, 'pg_isready', '-h', '127.0.0.1', '-U', 'almanac').then(
      () => true,
      () => false,
    );
  await waitUntil('PostgreSQL', isUp, { limitMs: READY_MS, everyMs: 500, signal: stopping });
}

async function containers(): Promise<string[]> {
  return (await docker('ps', '--all', '--filter', `name=${id}`, '--format', '{{.Names}}'))
    .split('\n')
    .filter(Boolean);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
