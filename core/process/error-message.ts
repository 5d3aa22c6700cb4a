export interface ErrorMessage {
  name: string;
  message: string;
  stack: string | undefined;
  fields: object;
  cause: ErrorMessage | undefined;
}

/** Errors of the given classes keep their class and its fields, which must be cloneable. */
export function errorMessages(classes: readonly { name: string; prototype: Error }[]) {
  const prototypes = new Map(classes.map((each) => [each.name, each.prototype]));

  function toMessage(thrown: unknown): ErrorMessage {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { name, message, stack, cause } = error;
    return {
      name,
      message,
      stack,
      fields: prototypes.has(name) ? { ...error, cause: undefined } : {},
      cause: cause === undefined ? undefined : toMessage(cause),
    };
  }

  function toError({ name, message, stack, fields, cause }: ErrorMessage): Error {
    const error = Object.create(prototypes.get(name) ?? Error.prototype) as Error;
    const own = { ...fields, name, message, stack, ...(cause && { cause: toError(cause) }) };
    for (const [key, value] of Object.entries(own))
      Object.defineProperty(error, key, {
        value,
        writable: true,
        configurable: true,
        enumerable: key in fields,
      });
    return error;
  }

  return { toMessage, toError };
}
