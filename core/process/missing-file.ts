export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** For `catch`: returns undefined if a file or folder does not exist. Rethrows other errors. */
export function ifMissingFile(error: unknown): undefined {
  if (isMissingFile(error)) return undefined;
  throw error;
}
