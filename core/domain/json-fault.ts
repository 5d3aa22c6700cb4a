import type { z } from 'zod';

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date, YYYY-MM-DD',
  datetime: 'an instant in UTC, such as 2026-03-05T16:00:00Z',
};

/** Words for the first fault of a JSON value from a file, such as `rows.0.4 is missing`. */
export function jsonFault({ issues }: z.ZodError, under: readonly string[] = []): string {
  const [issue] = issues;
  const path = [...under, ...(issue?.path ?? [])].join('.');
  return `${path} ${issue?.message}`.trim();
}

/** The option `error` of a parser whose faults `jsonFault` puts into words. */
export const jsonIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? `of the form ${issue.pattern}`}`;
    case 'too_small':
      return issue.origin === 'array'
        ? `must have ${issue.minimum} elements`
        : `must be greater than ${issue.minimum}`;
    case 'too_big':
      return `must have ${issue.maximum} elements`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return 'is invalid';
  }
};
