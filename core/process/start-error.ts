/** The message explains an external cause to the operator. The name is that of the subclass. */
export class StartError extends Error {
  override readonly name: string = this.constructor.name;
}
