/** Nothing can be published as it is set up; the message says what to do. */
export class PublishError extends Error {
  override readonly name = 'PublishError';
}
