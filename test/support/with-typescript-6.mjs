// Preloaded for openapi-typescript, which needs the JavaScript interface of TypeScript: TypeScript 7, which compiles the
// project, has none. @ts-morph/common brings TypeScript 6 with it.
import { register } from 'node:module';

const typescript = new URL('../../node_modules/@ts-morph/common/dist/typescript.js', import.meta.url).href;
const hook = `export const resolve = (name, context, next) =>
  name === 'typescript' ? { url: ${JSON.stringify(typescript)}, shortCircuit: true } : next(name, context);`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
