/** An error in the form in which it passes between threads. A message would lose its class. */
export interface ErrorMessage {
  name: string;
  message: string;
  stack: string | undefined;
  /** The fields that its class adds. */
  fields: object;
  cause: ErrorMessage | undefined;
}

interface ErrorMessages {
  /** Converts a thrown value to a message. A value that is not an error becomes one. */
  toMessage(thrown: unknown): ErrorMessage;
  /** Restores the error of a message. It has the same class if that is among the given classes. */
  toError(sent: ErrorMessage): Error;
}

/** Passes errors between threads. Errors of the given classes keep their class and its fields, which must be cloneable. */
export function errorMessages(classes: readonly { name: string; prototype: Error }[]): ErrorMessages {
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
