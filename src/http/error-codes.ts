const BY_STATUS = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  429: 'too_many_requests',
  500: 'internal_error',
  501: 'not_supported',
  502: 'upstream_failed',
  503: 'unavailable',
} as const;

const OTHERS = [
  'invalid_request',
  'invalid_parameter',
  'unknown_currency',
  'unknown_provider',
  'no_rates',
] as const;

/** Programs distinguish errors by these codes. Messages may change; a code keeps its meaning. */
export const ERROR_CODES = [...OTHERS, ...Object.values(BY_STATUS)];

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The code of an error that has none of its own. */
export function codeByStatus(status: number, namesParameters: boolean): ErrorCode {
  const known: Readonly<Record<number, ErrorCode>> = BY_STATUS;
  return known[status] ?? (namesParameters ? 'invalid_parameter' : 'invalid_request');
}
