import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, rootCertificates } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { HttpClientError } from '../../../../core/http-client/http-client-error.js';
import { projectFolder } from '../../../../core/process/project-files.js';
import { openHttpClient } from '../../../../worker/feeds/http/live-client.js';
import { type TlsException, tlsExceptions } from '../../../../worker/feeds/http/tls-exceptions.js';
import {
  intermediateCertificate,
  intermediateSha256,
  leafCertificate,
  leafKey,
  rootCertificate,
} from './certificates.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function originOf(server: Server, protocol: string): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Asks bank.example, which sends its own certificate alone unless told otherwise. */
async function askBank(exception?: TlsException, bank: ServerOptions = {}): Promise<string> {
  const server = createServer({ key: leafKey, cert: leafCertificate, ...bank }, (_, response) =>
    response.end('rates'),
  );
  const origin = await originOf(server, 'https');
  const exceptions = new Map(exception ? [['bank.example', exception]] : []);
  const client = openHttpClient({
    route: () => origin,
    tls: { roots: [rootCertificate], exceptions },
    limits: { attempts: 1 },
  });
  try {
    return (await client.get('https://bank.example/')).text();
  } catch (error) {
    if (error instanceof HttpClientError) return error.reason;
    throw error;
  } finally {
    await client.close();
  }
}

async function issuer(body: string): Promise<TlsException> {
  const address = await originOf(
    createPlainServer((_, response) => response.end(body)),
    'http',
  );
  return { intermediate: { name: 'test intermediate', address, sha256: intermediateSha256 } };
}

test('a chain without its intermediate is refused', async () => {
  expect(await askBank()).toBe('certificate');
  expect(await askBank(undefined, { cert: `${leafCertificate}${intermediateCertificate}` })).toBe('rates');
});

test('which the error says', async () => {
  const server = createServer({ key: leafKey, cert: leafCertificate }, (_, response) => response.end());
  const origin = await originOf(server, 'https');
  const client = openHttpClient({
    route: () => origin,
    tls: { roots: [rootCertificate], exceptions: new Map() },
  });
  await expect(client.get('https://bank.example/')).rejects.toThrow('leaves out an intermediate');
  await client.close();
});

test('and accepted where the intermediate is known and fetched from its issuer', async () => {
  expect(await askBank(await issuer(intermediateCertificate))).toBe('rates');
});

test('but not where the issuer answers another certificate, or none', async () => {
  expect(await askBank(await issuer(rootCertificate))).toBe('certificate');
  expect(await askBank(await issuer('<html>moved</html>'))).toBe('certificate');
});

const legacyBank: ServerOptions = {
  cert: `${leafCertificate}${intermediateCertificate}`,
  minVersion: 'TLSv1',
  maxVersion: 'TLSv1',
  ciphers: 'DEFAULT@SECLEVEL=0',
};

test('TLS 1.0 is spoken with the hosts listed for it alone, and certificates are checked there too', async () => {
  expect(await askBank(undefined, legacyBank)).toBe('connection');
  expect(await askBank({ legacy: true }, legacyBank)).toBe('rates');
  expect(await askBank({ legacy: true }, { ...legacyBank, cert: leafCertificate })).toBe('certificate');
});

test('an intermediate that could not be had is fetched again for the next request', async () => {
  const bank = createServer({ key: leafKey, cert: leafCertificate }, (_, response) => response.end('rates'));
  const origin = await originOf(bank, 'https');
  const bodies = ['down', intermediateCertificate];
  const address = await originOf(
    createPlainServer((_, response) => response.end(bodies.shift())),
    'http',
  );
  const intermediate = { name: 'test intermediate', address, sha256: intermediateSha256 };
  const client = openHttpClient({
    route: () => origin,
    tls: { roots: [rootCertificate], exceptions: new Map([['bank.example', { intermediate }]]) },
    limits: { attempts: 1 },
  });
  try {
    await expect(client.get('https://bank.example/')).rejects.toThrow('responded with no certificate');
    for (let count = 0; count < 2; count++)
      expect((await client.get('https://bank.example/')).text()).toBe('rates');
  } finally {
    await client.close();
  }
});

test.each(['www.bank-of-algeria.dz', 'www.rbv.gov.vu', 'cbo.gov.om', 'www.cbs.sc', 'www.brb.bi'])(
  '%s leaves out a certificate that is known by its hash',
  (host) => {
    expect(tlsExceptions.get(host)?.intermediate).toMatchObject({
      address: expect.stringMatching(/^https?:\/\/\S+\.(crt|pem)$/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  },
);

const FEEDS = join(projectFolder, '..', 'shared', 'feeds');
describe.skipIf(!existsSync(FEEDS))('certificates that were kept', () => {
  test.each([
    ['cbssc', 'www.cbs.sc'],
    ['cbo', 'cbo.gov.om'],
    ['brb', 'www.brb.bi'],
  ])('%s: the one that its host leaves out, issued by a root that is trusted', async (key, host) => {
    const folder = join(FEEDS, key, 'tls');
    const [file = ''] = await readdir(folder);
    const certificate = new X509Certificate(await readFile(join(folder, file)));
    const { name, sha256 } = tlsExceptions.get(host)?.intermediate ?? {};
    expect(certificate.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(sha256);
    expect(certificate.subject).toContain(`CN=${name}`);
    const roots = rootCertificates.map((root) => new X509Certificate(root));
    expect(roots.some((root) => certificate.checkIssued(root) && certificate.verify(root.publicKey))).toBe(
      true,
    );
  });
});

test('a host that is reached at another address is asked under its own name, which its certificate must have', async () => {
  const chain = { key: leafKey, cert: `${leafCertificate}${intermediateCertificate}` };
  const names: unknown[] = [];
  const bank = createServer(
    {
      SNICallback(name, done) {
        names.push(name);
        done(null, createSecureContext(chain));
      },
    },
    ({ headers }, response) => response.end(headers.host),
  );
  const { hostname, port } = new URL(await originOf(bank, 'https'));
  const asked: string[] = [];
  const client = openHttpClient({
    address(origin) {
      asked.push(origin);
      return { hostname, port };
    },
    tls: { roots: [rootCertificate], exceptions: new Map() },
    limits: { attempts: 1 },
  });
  try {
    expect((await client.get('https://bank.example/rates')).text()).toBe('bank.example');
    await expect(client.get('https://other.example/')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  } finally {
    await client.close();
  }
  expect(asked).toEqual(['https://bank.example', 'https://other.example']);
  expect(names).toEqual(['bank.example', 'other.example']);
});
