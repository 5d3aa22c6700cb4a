import {
  exceptProviders,
  type Provider,
  setCustomProviders,
  shippedProviders,
} from '../../core/domain/providers.js';

export type ProvidersInUse = ReturnType<typeof providersInUse>;

/** Plain data. */
export function providersInUse(published: readonly Provider[]) {
  const shipped = new Set(shippedProviders.map(({ key }) => key));
  const keys = new Set(published.map(({ key }) => key));
  return {
    own: published.filter(({ key }) => !shipped.has(key)),
    except: [...shipped].filter((key) => !keys.has(key)),
  };
}

export function useProviders({ own, except }: ProvidersInUse): void {
  setCustomProviders(own);
  exceptProviders(except);
}
