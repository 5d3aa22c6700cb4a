type SystemError = Partial<Record<'code' | 'address' | 'hostname' | 'port' | 'message', unknown>>;

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
]);

// SQLSTATE: read-only, authorization (28...), no such database, no permission, no resources (disk, connections), starting or
// stopping.
const DATABASE_REFUSES = /^(25006|28...|3D000|42501|53...|57P0[1-3])$/;

/** One line if the cause is external: a variable, a port or a server. Undefined for bugs of the program. */
export function startFailure(error: unknown): string | undefined {
  const all = [...causes(error)];
  // The driver reports as the cause of its own timeout that the connection ended.
  if (all.some(({ message = '' }: SystemError) => String(message).includes('connection timeout')))
    return 'the database does not answer in time';
  for (const cause of all) {
    if (cause instanceof StartError) return cause.message;
    const line = systemFailure(cause);
    if (line) return line;
  }
  return undefined;
}

function systemFailure(error: SystemError): string | undefined {
  const { code } = error;
  const message = String(error.message ?? '');
  if (code === 'EADDRINUSE')
    return `port ${error.port} is already in use: set PORT, or ADMIN_PORT if that names it, to another one`;
  if (code === 'EADDRNOTAVAIL')
    return `this machine has no address ${error.address}: set HOST to another one`;
  if (code === 'EACCES' && error.port !== undefined) return `not allowed to listen on port ${error.port}`;
  if (typeof code === 'string' && UNREACHABLE.has(code)) {
    const host = error.hostname ?? error.address ?? 'the server';
    return `cannot connect to ${host}${error.port === undefined ? '' : `:${error.port}`} (${code})`;
  }
  if (typeof code === 'string' && DATABASE_REFUSES.test(code)) return `the database refuses: ${message}`;
  // node-postgres gives these errors no code.
  if (message.startsWith('SASL:')) return 'the database refuses: a password is missing or wrong';
  if (message === 'Connection terminated unexpectedly')
    return 'the server at DATABASE_URL closes the connection: it may not be PostgreSQL';
  if (/^(WRONGPASS|NOAUTH)\b/.test(message)) return 'Redis refuses: a password is missing or wrong';
  return undefined;
}

/** The error and all its causes, innermost first, because those have the codes and addresses. */
function* causes(error: unknown, depth = 0): Generator<object> {
  if (typeof error !== 'object' || error === null || depth > 8) return;
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causes(inner, depth + 1);
  if ('cause' in error) yield* causes(error.cause, depth + 1);
  yield error;
}

/** The message explains an external cause to the operator. The name is that of the subclass. */
export class StartError extends Error {
  override readonly name: string = this.constructor.name;
}
