import { HttpClientError } from '../../core/http-client/http-client-error.js';
import {
  CredentialsRefused,
  CutShort,
  ExchangedDate,
  FeedError,
  OtherThanAsked,
  WrongDocument,
} from './feed-error.js';

/** An error on its way from one thread to another, by which its class would be lost. */
export interface ErrorMessage {
  name: string;
  message: string;
  stack: string | undefined;
  /** What its class adds. */
  fields: object;
  cause: ErrorMessage | undefined;
}

const CLASSES = [
  FeedError,
  ExchangedDate,
  CredentialsRefused,
  WrongDocument,
  OtherThanAsked,
  CutShort,
  HttpClientError,
];
const PROTOTYPES = new Map(CLASSES.map((each) => [each.name, each.prototype as Error]));

/** An error as a message; what is thrown and is none becomes one. */
export function toMessage(thrown: unknown): ErrorMessage {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, cause } = error;
  return {
    name,
    message,
    stack,
    fields: PROTOTYPES.has(name) ? { ...error, cause: undefined } : {},
    cause: cause === undefined ? undefined : toMessage(cause),
  };
}

/** The error of a message: an instance of the same class, if feeds or the network throw it. */
export function toError({ name, message, stack, fields, cause }: ErrorMessage): Error {
  const error = Object.create(PROTOTYPES.get(name) ?? Error.prototype) as Error;
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
