/** Something outside the program prevents its start. The message explains it to the operator. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
