import { maskValues } from '../../core/http-client/secrets.js';
import type { Feed } from './feed.js';

/** The values that a feed needs, or the names of those that are not set. */
export type Credentials =
  | { status: 'present'; values: Readonly<Record<string, string>> }
  | { status: 'missing'; names: readonly string[] };

/** Looks up a feed's credentials among configuration variables. */
export function credentialsFor(feed: Feed, variables: Readonly<Record<string, unknown>>): Credentials {
  const wanted = feed.credentials ?? [];
  const values: Record<string, string> = {};
  for (const name of wanted) {
    const value = variables[name];
    if (typeof value === 'string' && value !== '') values[name] = value;
  }
  const names = wanted.filter((name) => !(name in values));
  return names.length > 0 ? { status: 'missing', names } : { status: 'present', values };
}

/** Stand-ins for reading from a recording, which has its keys masked. */
export function placeholderCredentials(feed: Feed): Readonly<Record<string, string>> {
  return Object.fromEntries((feed.credentials ?? []).map((name) => [name, `<${name}>`]));
}

/** The error, with the values of credentials masked in it and in its causes, should a source have echoed them. */
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  for (let one = error; one instanceof Error; one = one.cause) {
    one.message = maskValues(one.message, secrets);
    if (one.stack !== undefined) one.stack = maskValues(one.stack, secrets);
  }
  return error;
}
