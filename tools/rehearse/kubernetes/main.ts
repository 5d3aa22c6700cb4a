import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Drill, type DrillContext, print, runDrill, type Step } from '../drill.js';
import { waitUntil } from '../wait-until.js';
import { docker } from './docker.js';
import { type Manifest, readManifests } from './manifests.js';
import { flagsOf, type Pod, type PodEnvironment, startPod } from './pod.js';
import { openPodService } from './service.js';

const LIMIT_MS = 10 * 60_000;
const READY_MS = 180_000;
const PER_SECOND = 20;
const REPLICAS = [1, 2];
const DEPLOYMENTS = ['almanac-api', 'almanac-worker'];
const PATHS = ['/v2/rates', '/v2/rates?base=USD&quotes=EUR,GBP', '/v2/rate/EUR/USD', '/v2/currencies'];

const id = `almanac-pods-${process.pid}`;

interface Stage {
  manifest(kind: string, name: string): Manifest;
  around: PodEnvironment;
  /** By the name of their deployment. */
  pods: Map<string, Pod[]>;
  signal: AbortSignal;
}

export const usage = `rehearse-kubernetes

Carries out the manifests of ops/kubernetes by Docker, in the order of a rollout, under requests.
`;

/** Exit code: 1 where a request failed while nothing was killed, or a pod does not become ready; else 0. */
export function run(): Promise<number> {
  return runDrill(LIMIT_MS, begin);
}

async function begin(context: DrillContext): Promise<Drill> {
  const { cleanups, signal, step } = context;
  const secrets = await mkdtemp(join(tmpdir(), 'almanac-pods-'));
  cleanups.push(() => rm(secrets, { recursive: true, force: true }));
  await writeSecrets(secrets);
  await docker('network', 'create', id);
  cleanups.push(() => docker('network', 'rm', id));
  cleanups.push(() => removeContainers(context));
  await startServers(signal);
  const stage = await setStage(secrets, signal);
  await step('the job, beside the pods of both deployments', () => deploy(stage));
  const service = await openPodService(() => stage.pods.get('almanac-api') ?? []);
  cleanups.push(async () => service.close());
  await waitUntil('rates', async () => (await fetch(`${service.url}/v2/rates`).catch(() => undefined))?.ok, {
    limitMs: READY_MS,
    everyMs: 500,
    signal,
  });
  return {
    load: { urls: [service.url], paths: PATHS, perSecond: PER_SECOND },
    steps: [
      {
        name: 'the job again',
        async run() {
          const printed = await migrate(stage);
          if (printed !== '') throw new Error(`the second job migrated: ${printed}`);
          return 'nothing to migrate';
        },
      },
      ...DEPLOYMENTS.map((name): Step => ({ name: `roll ${name}`, run: () => roll(stage, name) })),
      ...DEPLOYMENTS.map(
        (name): Step => ({
          name: `kill a pod of ${name}`,
          // Requests in flight in a killed API.
          mayFail: true,
          run: () => killOne(stage, name),
        }),
      ),
    ],
  };
}

/** Starts the pods and the job at once, as applying all manifests does: the programs wait for the job. */
async function deploy(stage: Stage): Promise<string> {
  for (const name of DEPLOYMENTS) {
    const started = REPLICAS.map((number) => start(stage, name, `${number}`));
    stage.pods.set(name, await Promise.all(started));
  }
  const migrations = (await migrate(stage)).split('\n').length;
  await Promise.all([...stage.pods.values()].flat().map((pod) => pod.untilReady(stage.signal)));
  return `${migrations} migrations, and all pods are ready`;
}

function migrate({ manifest, around }: Stage): Promise<string> {
  const flags = flagsOf(manifest('Job', 'almanac-migrate'), around);
  return docker('run', '--rm', '--name', `${id}-migrate`, ...flags);
}

function start({ manifest, around }: Stage, name: string, number: string): Promise<Pod> {
  return startPod(`${id}-${name}-${number}`, manifest('Deployment', name), around);
}

/** With maxSurge 1 and maxUnavailable 0: a new pod, and when it is ready an old one less. */
async function roll(stage: Stage, name: string): Promise<string> {
  const pods = stage.pods.get(name) ?? [];
  for (const number of REPLICAS) {
    const next = await start(stage, name, `new-${number}`);
    await next.untilReady(stage.signal);
    pods.push(next);
    const old = pods[0];
    const stopping = old?.stop();
    // It is ending, and so not chosen any more once nodes know.
    pods.shift();
    const code = await stopping;
    if (code !== 0) throw new Error(`${old?.name} ended with ${code}`);
  }
  return allAlive(pods);
}

async function killOne({ pods, signal }: Stage, name: string): Promise<string> {
  const own = pods.get(name) ?? [];
  await own[0]?.killAndStart();
  await own[0]?.untilReady(signal);
  return allAlive(own);
}

async function allAlive(pods: readonly Pod[]): Promise<string> {
  for (const pod of pods) if (!(await pod.isAlive())) throw new Error(`${pod.name} would be restarted`);
  return `${pods.map(({ name }) => name).join(' and ')} are alive`;
}

async function setStage(secrets: string, signal: AbortSignal): Promise<Stage> {
  const manifests = await readManifests('base');
  const manifest: Stage['manifest'] = (kind, name) => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  const settings = { ...manifest('ConfigMap', 'almanac').data, SCHEDULE: 'off' };
  return { manifest, around: { network: id, image: 'almanac', settings, secrets }, pods: new Map(), signal };
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

async function startServers(signal: AbortSignal): Promise<void> {
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
  await waitUntil('PostgreSQL', isUp, { limitMs: READY_MS, everyMs: 500, signal });
}

/** Removes all containers, and prints what they logged where a check failed. */
async function removeContainers({ hasFailed }: DrillContext): Promise<void> {
  const listed = await docker('ps', '--all', '--filter', `name=${id}`, '--format', '{{.Names}}');
  const names = listed.split('\n').filter(Boolean);
  for (const name of hasFailed() ? names : []) print(await docker('logs', '--tail', '5', name).catch(String));
  if (names.length > 0) await docker('rm', '--force', '--volumes', ...names);
}
