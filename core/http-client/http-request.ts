/** An HTTP request to send. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: string | undefined;
}
