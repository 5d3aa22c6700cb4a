import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../wait-until.js';
import { docker } from './docker.js';
import type { Container, Manifest, Probe } from './manifests.js';

/** What a pod gets from outside. */
export interface PodEnvironment {
  network: string;
  image: string;
  /** Of the ConfigMap. */
  settings: Readonly<Record<string, string>>;
  /** The folder on this machine that is the secret's volume. */
  secrets: string;
}

/** A pod of one container, which Docker runs as its manifest says. */
export interface Pod {
  name: string;
  /** Where it listens for requests. */
  address(): { host: string; port: number };
  /** Whether its readiness probe succeeds. */
  isReady(): Promise<boolean>;
  /** Waits until it has started and is ready, each within the time that its probes leave it. */
  untilReady(signal: AbortSignal): Promise<void>;
  /** Whether its liveness probe succeeds at least once in as many attempts as it has. Else a kubelet would restart it. */
  isAlive(): Promise<boolean>;
  /** Ends its container at once, and starts it again as a kubelet does. */
  killAndStart(): Promise<void>;
  /** SIGTERM, and SIGKILL after the grace period. Returns the exit code. */
  stop(): Promise<number>;
}

const SECOND_MS = 1_000;
const READY_MS = 180_000;
/** Kubernetes' own values where a probe gives none. */
const STANDARD = { initialDelaySeconds: 0, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 };

/** The flags of `docker run` for the container of a manifest. Throws where it asks for something that is not done here. */
export function flagsOf(manifest: Manifest, { network, image, settings, secrets }: PodEnvironment): string[] {
  const { spec } = manifest.spec.template;
  const container: Container = spec.containers[0];
  const { runAsUser, runAsGroup } = spec.securityContext;
  const memory = container.resources.limits.memory.replace(/i$/, '').toLowerCase();
  const volumes = container.volumeMounts.flatMap(({ name, mountPath }) => {
    const volume = spec.volumes.find((one: { name: string }) => one.name === name);
    if (volume.emptyDir) return ['--tmpfs', mountPath];
    if (volume.secret) return ['--volume', `${secrets}:${mountPath}:ro`];
    throw new Error(`a volume of another kind: ${name}`);
  });
  const environment = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  const confined = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
  return [
    ...['--network', network, '--user', `${runAsUser}:${runAsGroup}`, '--memory', memory],
    ...[...confined, ...volumes, ...environment, '--no-healthcheck', image, ...container.command],
  ];
}

/** Starts a pod of a deployment. */
export async function startPod(name: string, deployment: Manifest, around: PodEnvironment): Promise<Pod> {
  const { spec } = deployment.spec.template;
  const { ports, startupProbe, readinessProbe, livenessProbe }: Container = spec.containers[0];
  const portOf = (named: string) => ports.find((port) => port.name === named)?.containerPort ?? 0;
  const findHost = () =>
    docker('inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', name);
  await docker('run', '--detach', '--name', name, ...flagsOf(deployment, around));
  let host = await findHost();

  async function succeeds(probe: Probe | undefined): Promise<boolean> {
    if (!probe) return true;
    const { httpGet, timeoutSeconds = STANDARD.timeoutSeconds } = probe;
    try {
      const signal = AbortSignal.timeout(timeoutSeconds * SECOND_MS);
      const response = await fetch(`http://${host}:${portOf(httpGet.port)}${httpGet.path}`, { signal });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false; // Not reached, which is what a probe is to find out.
    }
  }

  const isReady = () => succeeds(readinessProbe);
  return {
    name,
    address: () => ({ host, port: portOf('http') }),
    isReady,
    async untilReady(signal) {
      const { initialDelaySeconds, periodSeconds, failureThreshold } = { ...STANDARD, ...startupProbe };
      const limitMs = (initialDelaySeconds + periodSeconds * failureThreshold) * SECOND_MS;
      const often = { everyMs: SECOND_MS / 2, signal };
      if (startupProbe)
        await waitUntil(`the start of ${name}`, () => succeeds(startupProbe), { limitMs, ...often });
      await waitUntil(`${name} to be ready`, isReady, { limitMs: READY_MS, ...often });
    },
    async isAlive() {
      const { failureThreshold, periodSeconds } = { ...STANDARD, ...livenessProbe };
      for (let attempt = 1; !(await succeeds(livenessProbe)); attempt++) {
        if (attempt >= failureThreshold) return false;
        await delay(periodSeconds * SECOND_MS);
      }
      return true;
    },
    async killAndStart() {
      await docker('kill', name);
      await docker('start', name);
      host = await findHost();
    },
    async stop() {
      await docker('stop', '--time', String(spec.terminationGracePeriodSeconds), name);
      return Number(await docker('inspect', '--format', '{{.State.ExitCode}}', name));
    },
  };
}
