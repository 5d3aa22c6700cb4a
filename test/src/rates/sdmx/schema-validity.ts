import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCHEMA = join(import.meta.dirname, 'schemas', 'message.xsd');

/** Whether xmllint is there, which is in Debian's libxml2-utils. */
export const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;

/** What SDMX-ML's schemas refuse of a message, a line each; none where it is valid. */
export function invalidIn(message: string): string[] {
  const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', SCHEMA, '-'], {
    input: message,
    encoding: 'utf8',
  });
  if (status === 0) return [];
  const lines = stderr.split('\n').filter((line) => /error/.test(line));
  return lines.length > 0 ? lines : [`xmllint ended with ${status}: ${stderr}`];
}
