export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  /** In lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
}
