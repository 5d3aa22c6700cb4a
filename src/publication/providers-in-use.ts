import {
  exceptProviders,
  type Provider,
  setCustomProviders,
  shippedProviders,
} from '../../core/domain/providers.js';

/** The differences between the providers of a publication and the built-in ones. It is plain data. */
export interface ProvidersInUse {
  own: readonly Provider[];
  /** The keys of the built-in providers that are left out. */
  except: readonly string[];
}

export function providersInUse(published: readonly Provider[]): ProvidersInUse {
  const shipped = new Set(shippedProviders.map(({ key }) => key));
  const keys = new Set(published.map(({ key }) => key));
  return {
    own: published.filter(({ key }) => !shipped.has(key)),
    except: [...shipped].filter((key) => !keys.has(key)),
  };
}

/** Makes the published providers those of this thread: adds the operator's own, and removes those left out. */
export function useProviders({ own, except }: ProvidersInUse): void {
  setCustomProviders(own);
  exceptProviders(except);
}
