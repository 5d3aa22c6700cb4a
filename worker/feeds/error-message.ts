import { HttpClientError } from '../../core/http-client/http-client-error.js';
import { errorMessages } from '../../core/process/error-message.js';
import { CredentialsRefused, ExchangedDate, FeedError } from './feed-error.js';

/** Pass the errors of feeds and of the network between threads. */
export const { toMessage, toError } = errorMessages([
  FeedError,
  ExchangedDate,
  CredentialsRefused,
  HttpClientError,
]);
