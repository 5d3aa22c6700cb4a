import { hash } from 'node:crypto';

/** The hexadecimal SHA-256 of the canonical JSON of a receipt, or of one of its inputs, without its own hash. */
export function digestOf({ sha256: _, ...rest }: { sha256?: string | undefined }): string {
  return hash('sha256', canonicalJson(rest), 'hex');
}

/** The same with its hash. */
export function sealed<T extends object>(content: T): T & { sha256: string } {
  return { ...content, sha256: digestOf(content) };
}

/**
 * Canonical JSON by RFC 8785 of a value as it was parsed from JSON: members in the order of their names; strings and
 * numbers as `JSON.stringify` writes them, which is what the RFC asks for. No name may be an integer.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(withSortedMembers(value));
}

function withSortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedMembers);
  const members = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(members).sort()) sorted[name] = withSortedMembers(members[name]);
  return sorted;
}
