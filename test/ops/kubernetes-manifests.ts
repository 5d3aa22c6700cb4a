import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectFolder } from '../../core/process/project-files.js';

/** A manifest as it is written. What its `spec` has depends on its kind, and is checked by the published schema. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: of another shape for each kind.
  spec: any;
  data?: Record<string, string>;
}

interface Probe {
  httpGet: { path: string; port: string };
  initialDelaySeconds?: number;
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
}

/** A container of a pod, as far as it is used here. */
export interface Container {
  image: string;
  command: string[];
  ports: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
  securityContext: unknown;
  resources: { limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string }[];
}

/** The manifests that a kustomization under `ops/kubernetes` names, without those of another folder. */
export async function readManifests(folder: string): Promise<Manifest[]> {
  const home = join(projectFolder, 'ops', 'kubernetes', folder);
  const read = async (name: string) => parse(await readFile(join(home, name), 'utf8'));
  const { resources } = (await read('kustomization.yaml')) as { resources: string[] };
  return Promise.all(resources.filter((name) => name.endsWith('.yaml')).map(read));
}
