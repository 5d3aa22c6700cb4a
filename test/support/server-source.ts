import { existsSync } from 'node:fs';

/** Where a test run's PostgreSQL and Redis come from: containers, or processes on this machine. */
export type ServerSource = 'containers' | 'processes';

/** The images of the servers that tests start. */
export const IMAGES = { postgres: 'postgres:18', redis: 'redis:7' } as const;

/** Holds the choice for the processes in which the tests of a run run. May be set from outside. */
const VARIABLE = 'TEST_SERVERS';

/**
 * Chooses for the whole run, and says on standard error why it is not containers where Docker is here. With
 * TEST_SERVERS=containers it throws where they can't be had; with TEST_SERVERS=processes it doesn't look for Docker.
 */
export async function chooseServerSource(): Promise<void> {
  const wanted = process.env[VARIABLE] ?? '';
  if (!['', 'containers', 'processes'].includes(wanted)) {
    throw new Error(`${VARIABLE} is ${wanted}: it must be containers or processes`);
  }
  if (wanted === 'processes') return;
  const obstacle = await obstacleToContainers();
  if (wanted === 'containers' && obstacle) throw new Error(`no containers: ${obstacle}`);
  if (obstacle && dockerIsConfigured()) {
    process.stderr.write(`No containers (${obstacle}): tests use servers on this machine instead.\n`);
  }
  process.env[VARIABLE] = obstacle ? 'processes' : 'containers';
}

/** The choice of the run. */
export function serverSource(): ServerSource {
  return process.env[VARIABLE] === 'containers' ? 'containers' : 'processes';
}

function dockerIsConfigured(): boolean {
  return Boolean(process.env.DOCKER_HOST) || existsSync('/var/run/docker.sock');
}

/** Why containers can't be used: no Docker, or an image that can't be had. Undefined where they can. */
async function obstacleToContainers(): Promise<string | undefined> {
  // The cheap question first: loading testcontainers takes a second.
  if (!dockerIsConfigured()) return 'there is no Docker';
  const { getContainerRuntimeClient, getReaper, ImageName } = await import('testcontainers');
  try {
    const client = await getContainerRuntimeClient();
    const { image } = client;
    for (const name of Object.values(IMAGES)) {
      const parsed = ImageName.fromString(name);
      await image.pull(parsed);
      // A pull that fails half way through ends without an error.
      if (!(await image.exists(parsed))) return `the image ${name} can't be had`;
    }
    // It removes the containers of a run that is killed, and has an image of its own.
    await getReaper(client);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
