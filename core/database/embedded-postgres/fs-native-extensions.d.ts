declare module 'fs-native-extensions' {
  /** Whether the lock on the file was granted; false while another open file description holds it. */
  export function tryLock(fd: number): boolean;
}
