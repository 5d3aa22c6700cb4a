import { existsSync } from 'node:fs';

/** Whether a Docker engine answers, so that servers can be containers. */
export async function dockerAnswers(): Promise<boolean> {
  // The cheap question first: loading testcontainers takes a second.
  if (!process.env.DOCKER_HOST && !existsSync('/var/run/docker.sock')) return false;
  const { getContainerRuntimeClient } = await import('testcontainers');
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  );
}
