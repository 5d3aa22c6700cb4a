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
      fields: prototypes.has(name) ? { ...error } : {},
      cause: cause === undefined ? undefined : toMessage(cause),
    };
  }

  function toError({ name, message, stack, fields, cause }: ErrorMessage): Error {
    const error = new Error(message, cause && { cause: toError(cause) });
    Object.setPrototypeOf(error, prototypes.get(name) ?? Error.prototype);
    return Object.assign(error, { name, stack }, fields);
  }

  return { toMessage, toError };
}
