import {
  exceptProviders,
  type Provider,
  setCustomProviders,
  shippedProviders,
} from '../../core/domain/providers.js';

/** Plain data. */
export interface ProvidersInUse {
  own: readonly Provider[];
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

export function useProviders({ own, except }: ProvidersInUse): void {
  setCustomProviders(own);
  exceptProviders(except);
}
