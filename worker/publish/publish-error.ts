/** The message says what to do. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}
