// Clients that come without types: what of them is tested.

interface RatesOfClient {
  timestamp: number;
  base: string;
  rates: Record<string, number>;
}

declare module 'openexchangerates-api' {
  type Callback = (error: (Error & { errno?: string; status?: number }) | null, data: unknown) => void;
  interface Options {
    appId: string;
    apiBase: string;
    ssl: boolean;
  }
  export default class RatesApi {
    constructor(options: Options);
    latest(query: object, done: Callback): void;
    historical(day: Date, query: object, done: Callback): void;
    currencies(done: Callback): void;
    convert(value: number, from: string, to: string, done: Callback): void;
    timeSeries(start: Date, end: Date, query: object, done: Callback): void;
  }
}

declare module 'oxr' {
  export function factory(options: { appId: string; protocol: string; host: string }): {
    latest(query?: object): Promise<RatesOfClient>;
    historical(day: string, query?: object): Promise<RatesOfClient>;
    currencies(): Promise<Record<string, string>>;
  };
}

declare module 'fixer-node' {
  export default class Fixer {
    constructor(key: string);
    axios: { defaults: { baseURL: string } };
    symbols(): Promise<unknown>;
    latest(options?: object): Promise<RatesOfClient>;
    forDate(options: object): Promise<RatesOfClient>;
    convert(options: object): Promise<unknown>;
    timeseries(options: object): Promise<unknown>;
    fluctuation(options: object): Promise<unknown>;
  }
}

declare module 'currencylayer-client' {
  export default class CurrencyLayerClient {
    constructor(options: { apiKey: string });
    client: { defaults(options: { baseUrl: string }): CurrencyLayerClient['client'] };
    live(options?: object): Promise<unknown>;
    historical(options: object): Promise<unknown>;
    convert(options: object): Promise<unknown>;
  }
}

declare module 'money' {
  const fx: {
    base: string;
    rates: Record<string, number>;
    convert(amount: number, pair: { from: string; to: string }): number;
  };
  export default fx;
}

declare module 'ecb-exchange-rates' {
  const converter: {
    settings: { url: string };
    convert(asked: object, done: (converted: unknown) => void): void;
  };
  export default converter;
}

declare module 'ecb-api' {
  const rates: {
    settings: { url: string };
    getAll(base: string, done: (rates: { currency: string; rate: string }[]) => void): void;
  };
  export default rates;
}
