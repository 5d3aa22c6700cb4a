// What the tests use of sdmx-rest 2.20, which comes without types.
declare module 'sdmx-rest' {
  export interface Service {
    url: string;
    api: string;
    /** Of data. */
    format?: string;
    structureFormat?: string;
  }
  const sdmxRest: {
    getUrl(query: object, service: Service): string;
    request(query: object, service: Service): Promise<string>;
  };
  export default sdmxRest;
}
