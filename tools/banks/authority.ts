import { createSecureContext, type SecureContext } from 'node:tls';
import { type CertificateExtension, generate, type SelfsignedOptions } from 'selfsigned';
import { type TlsTrust, tlsExceptions } from '../../worker/feeds/http/connections.js';

/** A made-up certificate authority: a root, an intermediate, and the certificates of hosts. */
export interface Authority {
  /** Trusts the root, and knows the intermediate where a real host leaves out its own. */
  trust: TlsTrust;
  /** What a host presents, made when it is first asked for: its certificate, with or without the intermediate. */
  contextOf(host: string, leavesOutIntermediate: boolean): Promise<SecureContext>;
}

const OF_AN_AUTHORITY: CertificateExtension[] = [
  { name: 'basicConstraints', cA: true, critical: true },
  { name: 'keyUsage', keyCertSign: true, critical: true },
];

/** Creates a certificate authority that only its own clients trust. Its keys stay in memory. */
export async function createAuthority(): Promise<Authority> {
  const root = await certify('Almanac stand-in root', { extensions: OF_AN_AUTHORITY });
  const ca = await certify('Almanac stand-in intermediate', { ca: root, extensions: OF_AN_AUTHORITY });
  // The real exceptions, with this authority's intermediate in place of theirs.
  const exceptions = [...tlsExceptions].map(
    ([host, { intermediate, ...exception }]) =>
      [host, { ...exception, ...(intermediate && { intermediate: ca.cert }) }] as const,
  );
  const identities = new Map<string, ReturnType<typeof certify>>();
  return {
    trust: { roots: [root.cert], exceptions: new Map(exceptions) },
    async contextOf(host, leavesOutIntermediate) {
      const identity = identities.get(host) ?? certify(host, { ca });
      identities.set(host, identity);
      const { key, cert } = await identity;
      return createSecureContext({ key, cert: leavesOutIntermediate ? cert : cert + ca.cert });
    },
  };
}

async function certify(name: string, options: SelfsignedOptions): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...options,
  });
  return { key, cert: `${cert}\n` };
}
