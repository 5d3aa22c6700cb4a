import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** Hexadecimal SHA-256 of the canonical JSON (RFC 8785), without its own `sha256`. */
export function digestOf({ sha256: _, ...rest }: { sha256?: string | undefined }): string {
  return hash('sha256', canonicalize(rest) ?? '', 'hex');
}

export function sealed<T extends object>(content: T): T & { sha256: string } {
  return { ...content, sha256: digestOf(content) };
}
