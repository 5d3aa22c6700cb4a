import { maskValues } from '../../core/http-client/secrets.js';
import type { Feed } from './feed.js';

/** The credentials of a feed, or the names of the missing variables. */
export type Credentials =
  | { status: 'present'; values: Readonly<Record<string, string>> }
  | { status: 'missing'; names: readonly string[] };

/** Looks up a feed's credentials in the configuration variables. */
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

/** Placeholders for reading from a recording, in which credentials are masked. */
export function placeholderCredentials(feed: Feed): Readonly<Record<string, string>> {
  return Object.fromEntries((feed.credentials ?? []).map((name) => [name, `<${name}>`]));
}

/** Masks the credentials in an error and its causes, in case a source has echoed them. */
export function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  for (let one = error; one instanceof Error; one = one.cause) {
    one.message = maskValues(one.message, secrets);
    if (one.stack !== undefined) one.stack = maskValues(one.stack, secrets);
  }
  return error;
}
