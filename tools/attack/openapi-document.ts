/** The parts of an OpenAPI document that are read here. */
export interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  security?: unknown;
  parameters?: readonly Parameter[];
  requestBody?: { content?: Readonly<Record<string, { schema?: Schema; example?: unknown }>> };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  example?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Readonly<Record<string, Schema>>;
}
