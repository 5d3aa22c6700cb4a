import { createHash, X509Certificate } from 'node:crypto';
import { type CertificateExtension, generate, type SelfsignedOptions } from 'selfsigned';
import type { TlsTrust } from '../../worker/feeds/http/connections.js';
import { type TlsException, tlsExceptions } from '../../worker/feeds/http/tls-exceptions.js';

/** A certificate with its key, both as PEM. */
interface Identity {
  key: string;
  cert: string;
}

/** A made-up certificate authority: a root, an intermediate, and the certificates of hosts. */
export interface Authority {
  intermediate: string;
  /** Trusts the root, and expects this intermediate where a real host leaves out its own. */
  trust: TlsTrust;
  /** The certificate of a host, made when it is first asked for. */
  identityOf(host: string): Promise<Identity>;
}

const OF_AN_AUTHORITY: CertificateExtension[] = [
  { name: 'basicConstraints', cA: true, critical: true },
  { name: 'keyUsage', keyCertSign: true, critical: true },
];

/** Makes an authority that nobody else trusts. Its keys stay in memory. */
export async function createAuthority(): Promise<Authority> {
  const root = await certify('Almanac rehearsal root', { extensions: OF_AN_AUTHORITY });
  const intermediate = await certify('Almanac rehearsal intermediate', {
    ca: root,
    extensions: OF_AN_AUTHORITY,
  });
  const identities = new Map<string, Promise<Identity>>();
  return {
    intermediate: intermediate.cert,
    trust: { roots: [root.cert], exceptions: exceptionsWith(intermediate.cert) },
    identityOf(host) {
      const identity = identities.get(host) ?? certify(host, { ca: intermediate });
      identities.set(host, identity);
      return identity;
    },
  };
}

async function certify(name: string, options: SelfsignedOptions): Promise<Identity> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...options,
  });
  return { key, cert: `${cert}\n` };
}

/** The real exceptions, but for the intermediate that is fetched. */
function exceptionsWith(certificate: string): ReadonlyMap<string, TlsException> {
  const sha256 = createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
  return new Map(
    [...tlsExceptions].map(([host, { intermediate, ...exception }]) => [
      host,
      { ...exception, ...(intermediate && { intermediate: { ...intermediate, sha256 } }) },
    ]),
  );
}
