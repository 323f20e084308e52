import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Router } from '../http/router';
import { endpoints, sandboxEndpoints } from '.';
import { notOffered } from './not-offered';

const APP = resolve(import.meta.dirname, '../../../app');
const FALLBACK = '/api/[...path]';
const files = readdirSync(join(APP, 'api'), { recursive: true, encoding: 'utf8' })
  .map((file) => `/api/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('/route.ts'))
  .map((file) => file.slice(0, -'/route.ts'.length));
const asFolder = (path: string) => path.replace(/\{(\w+)\}/g, '[$1]');
const routed = [...endpoints, ...sandboxEndpoints].filter((endpoint) => !notOffered.includes(endpoint));

describe('both doors serve the same: the table of endpoints and the route files of Next', () => {
  it('every endpoint has its route file, and every route file its endpoint', () => {
    expect(files.filter((file) => file !== FALLBACK).sort()).toEqual(routed.map(({ path }) => asFolder(path)).sort());
  });

  it('all other paths of the API have the fallback', () => {
    expect(files).toContain(FALLBACK);
    expect(readFileSync(join(APP, FALLBACK, 'route.ts'), 'utf8')).toContain('nextFallback()');
  });

  it.each(routed.map(({ path }) => path))('the route file of %s exports every verb of that endpoint', async (path) => {
    const text = readFileSync(join(APP, asFolder(path), 'route.ts'), 'utf8');
    const [, name, module] = /import \{ (\w+) \} from '@\/(lib\/server\/endpoints\/[\w/-]+)';/.exec(text) ?? [];
    expect(text).toContain(`export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute(${name});`);
    const exported = (await import(/* @vite-ignore */ resolve(APP, '..', `${module}.ts`))) as Record<string, { path: string }>;
    expect(exported[name as string]?.path).toBe(path);
  });
});

describe('the table of endpoints', () => {
  it('is a sound router, with the sandbox and without', () => {
    expect(() => new Router(endpoints)).not.toThrow();
    expect(() => new Router([...endpoints, ...sandboxEndpoints])).not.toThrow();
  });

  it('has nothing of the sandbox in what every gateway serves', () => {
    expect(endpoints.filter(({ path }) => path.startsWith('/api/sandbox'))).toEqual([]);
    expect(sandboxEndpoints.every(({ path }) => path.startsWith('/api/sandbox'))).toBe(true);
  });

  it('describes a verb only where it answers it', () => {
    for (const endpoint of endpoints) for (const verb of Object.keys(endpoint.docs ?? {})) expect(endpoint[verb as 'GET']).toBeTypeOf('function');
  });
});
