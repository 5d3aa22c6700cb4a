import type { z } from 'zod';
import { excerptOfList } from './excerpt.js';

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
};

/**
 * What is wrong with a value where its schema has no message of its own, in place of the words of the library: the rest
 * of a sentence that begins with the name of the value.
 */
export const plainIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${KINDS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`;
    case 'too_small':
      return `must ${sizeOf(issue.origin)} at least ${issue.minimum}`;
    case 'too_big':
      return `must ${sizeOf(issue.origin)} at most ${issue.maximum}`;
    case 'invalid_format':
      return `must have the form of a ${issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${excerptOfList(issue.keys)}`;
    default:
      return 'is in none of the forms that are allowed';
  }
};

function sizeOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have a length of' : 'be';
}
