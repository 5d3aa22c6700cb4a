import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { projectFolder } from '../../core/process/project-files.js';
import type { Reply } from '../http/reply.js';
import { defineRoute, type Route } from '../http/route.js';

type Script = 'home' | 'status' | 'listing' | 'currencies' | 'currency' | 'series' | 'reference' | 'console';

type Picture = 'icon.svg' | 'favicon.ico' | 'share.png';

export type AssetName =
  | `${Script}.ts`
  | `messages/${string}.json`
  | 'style.css'
  | 'style/console.css'
  | Picture;

export interface Assets {
  /** The path changes with the content of the asset. */
  pathOf(name: AssetName): string;
  importsOf(name: AssetName): string[];
  routes: Route[];
}

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
export function openAssets(): Assets {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')));
  const entry = (name: AssetName) => {
    const found = manifest[name];
    if (!found) throw new Error(`${name} is not built: npm run build`);
    return found;
  };
  const files = new Set(Object.values(manifest).flatMap(({ file, imports }) => [file, ...imports]));
  return {
    pathOf: (name) => pathOf(entry(name).file),
    importsOf: (name) => entry(name).imports.map(pathOf),
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
  let read: Promise<Reply> | undefined;
  return defineRoute({
    path,
    handle() {
      read ??= readAsset(file, cacheControl).catch((error: unknown) => {
        read = undefined;
        throw error;
      });
      return read;
    },
  });
}

async function readAsset(file: string, cacheControl: string): Promise<Reply> {
  const path = join(FOLDER, file);
  const [body, br, gzip] = await Promise.all([
    readFile(path),
    readFile(`${path}.br`),
    readFile(`${path}.gz`),
  ]);
  const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return {
    // The name contains a hash of the content, so it can serve as the tag.
    validity: { tag: file, cacheControl },
    content: { type, body, compressed: { br, gzip } },
  };
}
