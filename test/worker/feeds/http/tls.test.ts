import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { join } from 'node:path';
import { createSecureContext, rootCertificates } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { projectFolder } from '../../../../core/process/project-files.js';
import {
  type TlsException,
  type TlsTrust,
  tlsExceptions,
} from '../../../../worker/feeds/http/connections.js';
import { newFolder } from '../../../core/support.js';
import * as certificates from './certificates.js';
import { clientWith, errorOf, originOf } from './servers.js';

const { expired, intermediate, intermediateSha256, leaf, leafKey, root, wholeChain } = certificates;

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

/** An intermediate that its issuer answers so, each time. */
async function issuer(...bodies: string[]): Promise<TlsException> {
  const address = await originOf(createPlainServer((_, response) => response.end(bodies.shift())));
  return { intermediate: { name: 'test intermediate', address, sha256: intermediateSha256 } };
}

test('a chain without its intermediate is accepted where that is known and its issuer answers it, and nothing else', async () => {
  expect(await askBank(undefined, { cert: wholeChain })).toBe('rates');
  expect(await askBank(undefined, { cert: expired }, { roots: [expired] })).toBe('certificate');
  const asking = (await bankClient()).get('https://bank.example/');
  await expect(asking).rejects.toThrow('leaves out an intermediate');
  expect(await askBank(await issuer(intermediate))).toBe('rates');
  expect(await askBank(await issuer(root))).toBe('certificate');
  expect(await askBank(await issuer('<html>moved</html>'))).toBe('certificate');
});

test('an intermediate that could not be had is fetched again for the next request, and then kept', async () => {
  const client = await bankClient(await issuer('down', intermediate));
  await expect(client.get('https://bank.example/')).rejects.toThrow(
    'responded with another certificate than test intermediate',
  );
  for (let count = 0; count < 2; count++)
    expect((await client.get('https://bank.example/')).text()).toBe('rates');
});

test('TLS 1.0 is spoken with the hosts listed for it alone, and certificates are checked there too', async () => {
  const versions = { minVersion: 'TLSv1', maxVersion: 'TLSv1' } as const;
  const old: ServerOptions = { cert: wholeChain, ...versions, ciphers: 'DEFAULT@SECLEVEL=0' };
  expect(await askBank(undefined, old)).toBe('connection');
  expect(await askBank({ legacy: true }, old)).toBe('rates');
  expect(await askBank({ legacy: true }, { ...old, cert: leaf })).toBe('certificate');
});

test.each<[string, () => TlsException | Promise<TlsException>, ServerOptions?]>([
  ['that speaks TLS 1.0', () => ({ legacy: true }), { cert: wholeChain }],
  ['that leaves out an intermediate', () => issuer(intermediate)],
])('a host %s is trusted with an authority of NODE_EXTRA_CA_CERTS too', async (_, exception, bank) => {
  expect(await askBank(await exception(), bank, {})).toBe('certificate');
  const file = join(await newFolder(), 'authority.pem');
  await writeFile(file, root);
  vi.stubEnv('NODE_EXTRA_CA_CERTS', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await askBank(await exception(), bank, {})).toBe('rates');
});

test('the certificates that hosts leave out are known by address and hash', () => {
  const known = [...tlsExceptions.values()].flatMap(({ intermediate }) => intermediate ?? []);
  expect(known.length).toBeGreaterThan(4);
  const whole = /^https?:\/\/\S+\.(crt|pem) [0-9a-f]{64}$/;
  for (const { address, sha256 } of known) expect(`${address} ${sha256}`).toMatch(whole);
});

const RECORDINGS = join(projectFolder, '..', 'shared', 'feeds');
describe.skipIf(!existsSync(RECORDINGS))('certificates that were kept', () => {
  test.each([
    ['cbssc', 'www.cbs.sc'],
    ['cbo', 'cbo.gov.om'],
    ['brb', 'www.brb.bi'],
  ])('%s: the one that its host leaves out, issued by a root that is trusted', async (key, host) => {
    const folder = join(RECORDINGS, key, 'tls');
    const [file = ''] = await readdir(folder);
    const certificate = new X509Certificate(await readFile(join(folder, file)));
    const { name, sha256 } = tlsExceptions.get(host)?.intermediate ?? {};
    expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(sha256);
    expect(certificate.subject).toContain(`CN=${name}`);
    const roots = rootCertificates.map((one) => new X509Certificate(one));
    const issues = (root: X509Certificate) =>
      certificate.checkIssued(root) && certificate.verify(root.publicKey);
    expect(roots.some(issues)).toBe(true);
  });
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
