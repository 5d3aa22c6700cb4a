import type { Session } from './session.js';

/** Runs a command after its arguments were checked. */
export type Run = (command: (session: Session) => Promise<void>) => Promise<void>;
