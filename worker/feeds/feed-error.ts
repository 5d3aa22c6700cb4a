import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { errorMessages } from '../../core/process/error-message.js';

/** A source sent something else than its documented format. The message tells an operator what to look at. */
export class FeedError extends Error {
  override readonly name: string = this.constructor.name;
}

/** A date whose day and month may be exchanged. Several of them mean that the source's other dates are misread too. */
export class ExchangedDate extends FeedError {}

/** A source refused its key, which differs from having no rates. */
export class CredentialsRefused extends FeedError {}

/** The start of a body on one line, for messages to an operator. */
export function excerpt(text: string, length = 80): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return JSON.stringify(line.length > length ? `${line.slice(0, length)}…` : line);
}

/** Pass the errors of feeds and of the network between threads. */
export const { toMessage, toError } = errorMessages([
  FeedError,
  ExchangedDate,
  CredentialsRefused,
  HttpClientError,
]);
