import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Receipt } from './schema.js';

/** The hexadecimal SHA-256 of the canonical JSON (RFC 8785) of a receipt without its own hash. */
export function digestOf({
  sha256: _,
  ...rest
}: Receipt | (Omit<Receipt, 'sha256'> & { sha256?: string })): string {
  return createHash('sha256')
    .update(canonicalize(rest) ?? '')
    .digest('hex');
}
