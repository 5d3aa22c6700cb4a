import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { createSecureContext, rootCertificates } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { projectFolder } from '../../../../core/process/project-files.js';
import {
  type TlsException,
  type TlsTrust,
  tlsExceptions,
} from '../../../../worker/feeds/http/connections.js';
import { newFolder } from '../../../core/support.js';
import * as certificates from './certificates.js';
import { clientWith, errorOf, originOf } from './servers.js';

const { expired, intermediate, leaf, leafKey, root, wholeChain } = certificates;

/** A client of bank.example, which sends its own certificate alone unless more is given. */
async function bankClient(
  exception?: TlsException,
  bank: ServerOptions = {},
  trust: Pick<TlsTrust, 'roots'> = { roots: [root] },
) {
  const server = createServer({ key: leafKey, cert: leaf, ...bank }, (_, response) => response.end('rates'));
  const origin = await originOf(server, 'https');
  const tls = { ...trust, exceptions: new Map(exception ? [['bank.example', exception]] : []) };
  const address = (asked: string) => new URL(asked === 'https://bank.example' ? origin : asked);
  return clientWith({ address, tls, limits: { attempts: 1 } });
}

/** What it says, or why it is not read. */
async function askBank(...bank: Parameters<typeof bankClient>): Promise<string> {
  const asking = (await bankClient(...bank)).get('https://bank.example/');
  return asking.then(
    (answer) => answer.text(),
    async () => (await errorOf(asking)).reason,
  );
}

test('a chain without its intermediate is accepted where that is known, and nothing else', async () => {
  expect(await askBank(undefined, { cert: wholeChain })).toBe('rates');
  expect(await askBank(undefined, { cert: expired }, { roots: [expired] })).toBe('certificate');
  const asking = (await bankClient()).get('https://bank.example/');
  await expect(asking).rejects.toThrow('leaves out an intermediate');
  expect(await askBank({ intermediate })).toBe('rates');
  expect(await askBank({ intermediate: root })).toBe('certificate');
});

test('TLS 1.0 is spoken with the hosts listed for it alone, and certificates are checked there too', async () => {
  const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1' } as const;
  const old: ServerOptions = { cert: wholeChain, ...versions, ciphers: 'DEFAULT@SECLEVEL=0' };
  expect(await askBank(undefined, old)).toBe('connection');
  expect(await askBank({ legacy: true }, old)).toBe('rates');
  expect(await askBank({ legacy: true }, { ...old, cert: leaf })).toBe('certificate');
});

test.each<[string, TlsException, ServerOptions?]>([
  ['that speaks TLS 1.0', { legacy: true }, { cert: wholeChain }],
  ['that leaves out an intermediate', { intermediate }],
])('a host %s is trusted with an authority of NODE_EXTRA_CA_CERTS too', async (_, exception, bank) => {
  expect(await askBank(exception, bank, {})).toBe('certificate');
  const file = join(await newFolder(), 'authority.pem');
  await writeFile(file, root);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await askBank(exception, bank, {})).toBe('rates');
});

const leftOut = [...tlsExceptions].flatMap(([host, { intermediate }]) =>
  intermediate ? [[host, intermediate] as const] : [],
);
const sha256Of = (pem: string | Buffer) =>
  new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();

test.each(leftOut)('the certificate that %s leaves out is issued by a root that is trusted', (_, pem) => {
  const certificate = new X509Certificate(pem);
  const [name, , sha256] = pem.split('\n');
  expect(certificate.subject).toContain(`CN=${name}`);
  expect(sha256).toBe(`SHA-256 ${sha256Of(pem)}`);
  const roots = rootCertificates.map((one) => new X509Certificate(one));
  const issues = (root: X509Certificate) =>
    certificate.checkIssued(root) && certificate.verify(root.publicKey);
  expect(roots.some(issues)).toBe(true);
});

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
test.skipIf(!existsSync(RECORDINGS)).each([
  ['cbssc', 'www.cbs.sc'],
  ['cbo', 'cbo.gov.om'],
  ['brb', 'www.brb.bi'],
])('%s: its certificate is the one that was kept', async (key, host) => {
  const folder = join(RECORDINGS, key, 'tls');
  const [file = ''] = await readdir(folder);
  expect(sha256Of(await readFile(join(folder, file)))).toBe(sha256Of(new Map(leftOut).get(host) ?? ''));
});

test('a host that is reached at another address is asked under its own name, which its certificate must have', async () => {
  const [names, asked]: [unknown[], string[]] = [[], []];
  const SNICallback: ServerOptions['SNICallback'] = (name, done) => {
    names.push(name);
    done(null, createSecureContext({ key: leafKey, cert: wholeChain }));
  };
  const bank = createServer({ SNICallback }, ({ headers }, response) => response.end(headers.host));
  const { hostname, port } = new URL(await originOf(bank, 'https'));
  const client = clientWith({
    address(origin) {
      asked.push(origin);
      return { hostname, port };
    },
    tls: { roots: [root], exceptions: new Map() },
    limits: { attempts: 1 },
  });
  expect((await client.get('https://bank.example/rates')).text()).toBe('bank.example');
  await expect(client.get('https://other.example/')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(asked).toEqual(['https://bank.example', 'https://other.example']);
  expect(names).toEqual(['bank.example', 'other.example']);
});
