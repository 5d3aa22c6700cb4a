/** Something outside the program keeps it from starting; the message tells an operator what. */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
