import type { AppContext } from '../context.js';

/** What a route that relays needs of the application. */
export type RelayingContext = Pick<
  AppContext,
  'cache' | 'clock' | 'config' | 'document' | 'log' | 'upstreamObserver'
>;
