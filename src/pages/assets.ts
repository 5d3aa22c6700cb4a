import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { projectFolder } from '../../core/process/project-files.js';
import type { Reply } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';

export type Assets = ReturnType<typeof openAssets>;

const FOLDER = join(projectFolder, 'dist', 'assets');
const FOREVER = 'public, max-age=31536000, immutable';
const DAY = 'public, max-age=86400';
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
  png: 'image/png',
};

const manifestSchema = z.record(z.string(), z.object({ file: z.string(), imports: z.array(z.string()) }));

/** The files that src/pages/build.mjs has built. Throws if it has not run. */
export function openAssets() {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')));
  const entry = (name: string) => {
    const found = manifest[name];
    if (!found) throw new Error(`${name} is not built: npm run build`);
    return found;
  };
  const files = new Set(Object.values(manifest).flatMap(({ file, imports }) => [file, ...imports]));
  return {
    /** By the name of an entry of the build. The path changes with the content. */
    pathOf: (name: string) => pathOf(entry(name).file),
    importsOf: (name: string) => entry(name).imports.map(pathOf),
    routes: [
      ...[...files].map((file) => assetRoute(pathOf(file), file, FOREVER)),
      // For clients that request an icon without reading a page.
      assetRoute('/favicon.ico', entry('favicon.ico').file, DAY),
    ],
  };
}

function pathOf(file: string): string {
  return `/assets/${file}`;
}

/** From memory once it has been read, in the coding that the client prefers. */
function assetRoute(path: string, file: string, cacheControl: string): Route {
  let read: Reply | undefined;
  return defineRoute({
    path,
    handle() {
      read ??= readAsset(file, cacheControl);
      return read;
    },
  });
}

function readAsset(file: string, cacheControl: string): Reply {
  const bytesOf = (extension: string) => readFileSync(join(FOLDER, file + extension));
  const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return {
    // The name contains a hash of the content, so it can serve as the tag.
    validity: { tag: file, cacheControl },
    content: { type, body: bytesOf(''), compressed: { br: bytesOf('.br'), gzip: bytesOf('.gz') } },
  };
}
