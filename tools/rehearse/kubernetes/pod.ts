import { setTimeout as delay } from 'node:timers/promises';
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

/** A pod of one container, which Docker runs as its manifest says, and on which probes act as a kubelet's do. */
export interface Pod {
  readonly name: string;
  /** Where it listens for requests, while it is ready. */
  readonly address: { host: string; port: number } | undefined;
  /** Ends its container at once. It is started again. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL after the grace period. Returns the exit code. */
  stop(): Promise<number>;
}

const SECOND_MS = 1_000;
const LOOK_MS = 500;
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

/** Starts a pod of a deployment, and its probes. */
export async function startPod(name: string, deployment: Manifest, around: PodEnvironment): Promise<Pod> {
  const { spec } = deployment.spec.template;
  const container: Container = spec.containers[0];
  const portOf = (named: string) => container.ports.find((port) => port.name === named)?.containerPort ?? 0;
  await docker('run', '--detach', '--name', name, ...flagsOf(deployment, around));
  let host = '';
  let isReady = false;
  let isEnding = false;

  async function answers({ httpGet, timeoutSeconds = STANDARD.timeoutSeconds }: Probe): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(timeoutSeconds * SECOND_MS);
      const response = await fetch(`http://${host}:${portOf(httpGet.port)}${httpGet.path}`, { signal });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false; // Not reached, which is what a probe is to find out.
    }
  }

  /** Tells of each result that holds: a success at once, a failure after as many as the probe says. */
  async function watch(probe: Probe | undefined, isOver: () => boolean, tell: (isFine: boolean) => void) {
    if (!probe) return;
    const { periodSeconds, failureThreshold, initialDelaySeconds } = { ...STANDARD, ...probe };
    await delay(initialDelaySeconds * SECOND_MS);
    for (let failures = 0; !isOver(); ) {
      failures = (await answers(probe)) ? 0 : failures + 1;
      if (isOver()) return;
      if (failures === 0 || failures >= failureThreshold) tell(failures === 0);
      await delay(periodSeconds * SECOND_MS);
    }
  }

  /** From one start of the container to its end. */
  async function live(): Promise<void> {
    host = await docker(
      'inspect',
      '--format',
      '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}',
      name,
    );
    let hasEnded = false;
    const ended = docker('wait', name).then(() => {
      hasEnded = true;
      isReady = false;
    });
    const restart = (isFine: boolean) => {
      if (!isFine && !isEnding) void docker('kill', name);
    };
    let hasStarted = container.startupProbe === undefined;
    await watch(
      container.startupProbe,
      () => hasEnded || hasStarted,
      (isFine) => {
        hasStarted = isFine;
        restart(isFine);
      },
    );
    void watch(
      container.readinessProbe,
      () => hasEnded,
      (isFine) => {
        isReady = isFine;
      },
    );
    void watch(container.livenessProbe, () => hasEnded, restart);
    await ended;
  }

  void (async () => {
    for (;;) {
      await live();
      if (isEnding) return;
      await docker('start', name);
    }
  })().catch((error: unknown) => {
    process.stdout.write(`FAILED: ${name} is not restarted: ${String(error)}\n`);
  });

  return {
    name,
    get address() {
      return isReady && !isEnding ? { host, port: portOf('http') } : undefined;
    },
    async kill() {
      await docker('kill', name);
    },
    async stop() {
      isEnding = true;
      await docker('stop', '--time', String(spec.terminationGracePeriodSeconds), name);
      return Number(await docker('inspect', '--format', '{{.State.ExitCode}}', name));
    },
  };
}

/** Looks often until a pod is ready. */
export async function untilReady(pod: Pod, limitMs: number): Promise<void> {
  const limit = performance.now() + limitMs;
  while (!pod.address) {
    if (performance.now() > limit)
      throw new Error(`${pod.name} is not ready within ${limitMs / SECOND_MS} s`);
    await delay(LOOK_MS);
  }
}
