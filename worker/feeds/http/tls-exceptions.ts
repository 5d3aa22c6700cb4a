/** A certificate that a host should send and does not. */
export interface MissingIntermediate {
  name: string;
  /** The URL at which its issuer publishes it. */
  address: string;
  /** SHA-256 of its DER form. Nothing else is accepted. */
  sha256: string;
}

export interface TlsException {
  /** The host only supports TLS 1.0. */
  legacy?: true;
  intermediate?: MissingIntermediate;
}

const DIGICERT_2020: MissingIntermediate = {
  name: 'DigiCert Global G2 TLS RSA SHA256 2020 CA1',
  address: 'https://cacerts.digicert.com/DigiCertGlobalG2TLSRSASHA2562020CA1-1.crt.pem',
  sha256: 'c8025f9fc65fdfc95b3ca8cc7867b9a587b5277973957917463fc813d0b625a9',
};

const SECTIGO_R36: MissingIntermediate = {
  name: 'Sectigo Public Server Authentication CA DV R36',
  address: 'http://crt.sectigo.com/SectigoPublicServerAuthenticationCADVR36.crt',
  sha256: '8c54c334b66ba4e426772af4a3f9136c19a1aec729fdb28c535c07a5a4ef22e0',
};

/** It expires on 2027-11-02; the bank must replace it before. */
const RAPIDSSL_G1: MissingIntermediate = {
  name: 'RapidSSL TLS RSA CA G1',
  address: 'http://cacerts.rapidssl.com/RapidSSLTLSRSACAG1.crt',
  sha256: '4422e963ee53cd58cc9f85cd40bf5ffec0095fdf1a154535661c1c06bcadc69b',
};

const TRUSTICO_2: MissingIntermediate = {
  name: 'Trustico RSA DV SSL CA 2',
  address: 'http://crt.sectigo.com/TrusticoRSADVSSLCA2.crt',
  sha256: '0c91c1aa252380acb3de162338be4025e0430a4109dddcd7d6716b2d746c6920',
};

/** Hosts with a known TLS defect. Certificates are verified for all hosts, including these. */
export const tlsExceptions: ReadonlyMap<string, TlsException> = new Map([
  ['servicios.bcn.gob.ni', { legacy: true }],
  ['www.bank-of-algeria.dz', { intermediate: DIGICERT_2020 }],
  ['cbo.gov.om', { intermediate: DIGICERT_2020 }],
  ['www.cbs.sc', { intermediate: SECTIGO_R36 }],
  ['www.brb.bi', { intermediate: RAPIDSSL_G1 }],
  ['www.bcv.org.ve', { intermediate: SECTIGO_R36 }],
  ['www.rbv.gov.vu', { intermediate: TRUSTICO_2 }],
]);
