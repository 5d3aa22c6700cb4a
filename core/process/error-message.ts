/** An error on its way from one thread to another, by which its class would be lost. */
export interface ErrorMessage {
  name: string;
  message: string;
  stack: string | undefined;
  /** What its class adds. */
  fields: object;
  cause: ErrorMessage | undefined;
}

interface ErrorMessages {
  /** An error as a message; what is thrown and is none becomes one. */
  toMessage(thrown: unknown): ErrorMessage;
  /** The error of a message: an instance of the same class, if that is one of these. */
  toError(sent: ErrorMessage): Error;
}

/** Passes errors between threads. Those of these classes keep their class and its fields, which a message must be able to hold. */
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
