/** A source answered something other than its documented form. The message tells an operator what to look at. */
export class FeedError extends Error {
  override readonly name: string = 'FeedError';
}

/** A source refused the key it was given, which is not the same as having no rates. */
export class CredentialsRefused extends FeedError {
  override readonly name = 'CredentialsRefused';
}
