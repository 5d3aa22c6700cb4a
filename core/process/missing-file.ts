/** Whether there is no file or folder of the name. */
export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** For `catch`: undefined where there is no file or folder of the name. Other errors go on. */
export function ifMissingFile(error: unknown): undefined {
  if (isMissingFile(error)) return undefined;
  throw error;
}
