import type { Session } from './session.js';

/** Runs what a command does, once its arguments are known to be right. */
export type Run = (command: (session: Session) => Promise<void>) => Promise<void>;
