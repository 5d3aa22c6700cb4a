/** The message explains an external cause to the operator. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
