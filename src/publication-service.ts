import { type AppDependencies, openService } from './app.js';
import { type PublicationSource, publicationStore } from './publication-store.js';
import { readProviderInThread } from './rates/published/read-in-thread.js';
import { openRenderThreads } from './rendering/render-threads.js';
import type { Service } from './served.js';

export function openPublicationService(given: AppDependencies & PublicationSource): Service {
  const { clock, log } = given;
  const threads = openRenderThreads({ clock, log });
  return {
    ...openService(given, publicationStore(given, { readProvider: readProviderInThread, threads })),
    close: () => threads.close(),
  };
}
