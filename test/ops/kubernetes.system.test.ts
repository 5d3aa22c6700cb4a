import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../core/process/config.js';
import { type Container, type Manifest, readManifests } from './kubernetes-manifests.js';

const base = await readManifests('base');
const overlay = await readManifests('overlays/example');
const all = [...base, ...overlay];
const byKind = (kind: string) => all.filter((manifest) => manifest.kind === kind);
const workloads = [...byKind('Deployment')];
const templateOf = ({ spec }: Manifest) => spec.template;
const containerOf = (manifest: Manifest): Container => templateOf(manifest).spec.containers[0];
const settings = byKind('ConfigMap')[0]?.data ?? {};
const nameOf = (manifest: Manifest) => `${manifest.kind} ${manifest.metadata.name}`;

const workloadModels = { Deployment, HorizontalPodAutoscaler, PodDisruptionBudget };
const models = { ...workloadModels, ConfigMap, Ingress, Namespace, Service };

/** Throws where the published schema of its kind says something against a manifest. */
const checkSchema = (manifest: Manifest) =>
  new models[manifest.kind as keyof typeof models](manifest as never).validate();

describe('the manifests', () => {
  it.each(all.map((one) => [nameOf(one), one] as const))('%s fits its published schema', (_, manifest) => {
    checkSchema(manifest);
    const metadata = { ...manifest.metadata, labels: { number: 7 } };
    expect(() => checkSchema({ ...manifest, metadata })).toThrow('must be string');
  });

  it.each([
    ['base', base],
    ['overlays/example', overlay],
  ])('in %s are all named by its kustomization', async (folder, manifests) => {
    const files = await readdir(join('ops', 'kubernetes', folder));
    expect(manifests).toHaveLength(files.filter((name) => name.endsWith('.yaml')).length - 1);
  });

  it('refer to what is there', () => {
    const labels = workloads.map((workload) => templateOf(workload).metadata.labels);
    const isFound = (selector: Record<string, string>) =>
      labels.filter((of) => Object.entries(selector).every(([key, value]) => of[key] === value)).length === 1;
    for (const { spec } of [...byKind('Deployment'), ...byKind('PodDisruptionBudget')]) {
      expect(isFound(spec.selector.matchLabels)).toBe(true);
    }
    for (const deployment of byKind('Deployment')) {
      const [spread] = templateOf(deployment).spec.topologySpreadConstraints;
      expect(spread.labelSelector).toEqual(deployment.spec.selector);
    }
    const [service] = byKind('Service');
    expect(isFound(service?.spec.selector)).toBe(true);
    const scaled = byKind('HorizontalPodAutoscaler')[0]?.spec.scaleTargetRef.name;
    expect(byKind('Deployment').map(({ metadata }) => metadata.name)).toContain(scaled);
    const backend = byKind('Ingress')[0]?.spec.rules[0].http.paths[0].backend.service;
    expect(backend).toEqual({ name: service?.metadata.name, port: { name: service?.spec.ports[0].name } });
  });

  it('give probes and services ports that the programs listen on', () => {
    for (const deployment of byKind('Deployment')) {
      const { ports, startupProbe, readinessProbe, livenessProbe } = containerOf(deployment);
      const names = ports.map(({ name }) => name);
      const probes = [startupProbe, readinessProbe, livenessProbe].filter((probe) => probe !== undefined);
      expect(probes.length).toBeGreaterThan(1);
      for (const { httpGet } of probes) expect(names).toContain(httpGet.port);
      const listening = [settings.PORT, settings.ADMIN_PORT];
      for (const { containerPort } of ports) expect(listening).toContain(String(containerPort));
    }
    expect(byKind('Service')[0]?.spec.ports[0].targetPort).toBe('http');
  });

  it('configure what the programs know, with a file for each secret', async () => {
    const secrets = await readFile('ops/kubernetes/overlays/example/secrets.env', 'utf8');
    const values = Object.fromEntries([...secrets.matchAll(/^(\w+)=(.*)$/gm)].map((one) => one.slice(1)));
    const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'));
    expect(files.map(([, path]) => path.replace('/secrets/', '')).sort()).toEqual(Object.keys(values).sort());
    for (const [name, path] of files) expect(path).toBe(`/secrets/${name.replace('_FILE', '')}`);
    const plain = Object.fromEntries(Object.entries(settings).filter(([name]) => !name.endsWith('_FILE')));
    const config: Record<string, unknown> = readConfig({ ...plain, ...values });
    // What is not known is ignored, and would not be there.
    for (const name of Object.keys({ ...plain, ...values })) expect(config[name], name).toBeDefined();
  });

  it('run each program as little as it needs', () => {
    for (const workload of workloads) {
      const { securityContext, automountServiceAccountToken } = templateOf(workload).spec;
      const user = { runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 };
      expect(securityContext).toEqual({ ...user, seccompProfile: { type: 'RuntimeDefault' } });
      expect(automountServiceAccountToken).toBe(false);
      const container = containerOf(workload);
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toMatch(/i$/);
      expect(container.image).toBe('ghcr.io/almanac-rates/almanac');
    }
  });

  it('leave a pod the time that its program takes to end', () => {
    const least = { 'almanac-api': Number(settings.DRAIN_SECONDS) + 10, 'almanac-worker': 10 };
    for (const [name, seconds] of Object.entries(least)) {
      const workload = byKind('Deployment').find(({ metadata }) => metadata.name === name);
      expect(workload?.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(seconds);
    }
  });
});
