/** Codes of Node.js and OpenSSL for a certificate that can't be verified, or that has another name than the host. */
export const CERTIFICATE_CODE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED|HOSTNAME_MISMATCH)/;
/** Codes of a TLS handshake that fails for another reason. */
export const TLS_CODE = /^(ERR_SSL_|EPROTO)/;
