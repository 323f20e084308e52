import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testGateway } from '@/test/test-gateway';
import type { Call } from '../http/call';
import { Router } from '../http/router';
import { routes, sandboxRoutes } from '.';
import { discoveryRoutes } from './discovery/discovery';
import { isForPages } from '../http/request-target';
import { elsewhereRoutes } from './elsewhere';
import { notOffered } from './not-offered';
import { probeRoutes } from './probes';

const APP = resolve(import.meta.dirname, '../../../app');
const FALLBACK = '/api/[...path]';
const files = readdirSync(join(APP, 'api'), { recursive: true, encoding: 'utf8' })
  .map((file) => `/api/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('/route.ts'))
  .map((file) => file.slice(0, -'/route.ts'.length));
/** Pages of the console. The operator's page has no folder, so that callers cannot find it. */
const pages = [
  ...readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .map((file) => `/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => file.slice(0, -'/page.tsx'.length) || '/'),
  '/operator',
];
const asFolder = (path: string) => path.replace(/\{(\w+)\}/g, '[$1]');
const routed = [...routes, ...sandboxRoutes].filter(
  ({ path }) => !notOffered.some((endpoint) => endpoint.path === path),
);

describe('both entries serve the same: the table of endpoints and the route files of Next', () => {
  it('every endpoint has its route file, and every route file its endpoint', () => {
    expect(files.filter((file) => file !== FALLBACK).sort()).toEqual(routed.map(({ path }) => asFolder(path)).sort());
  });

  it('all other paths of the API have the fallback', () => {
    expect(files).toContain(FALLBACK);
    expect(readFileSync(join(APP, FALLBACK, 'route.ts'), 'utf8')).toContain('nextFallback()');
  });

  it.each(routed.map(({ path }) => path))('the route file of %s exports every verb of that endpoint', (path) => {
    const text = readFileSync(join(APP, asFolder(path), 'route.ts'), 'utf8');
    expect(text).toContain(`export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextRoute('${path}');`);
  });
});

describe('the table of endpoints', () => {
  it('is a sound router, with the sandbox and without', () => {
    expect(() => new Router(routes)).not.toThrow();
    expect(() => new Router([...routes, ...sandboxRoutes])).not.toThrow();
  });

  it('has nothing of the sandbox in what every gateway serves', () => {
    expect(routes.filter(({ path }) => path.startsWith('/api/sandbox'))).toEqual([]);
    expect(sandboxRoutes.every(({ path }) => path.startsWith('/api/sandbox'))).toBe(true);
  });

  it('answers where clients look by habit: no page is at any of these paths', () => {
    const asked = elsewhereRoutes.map(({ path }) => path.replace(/\{\w+\}/g, 'a'));
    expect(asked.filter((path) => isForPages(path))).toEqual([]);
    expect(pages.filter((path) => !isForPages(path))).toEqual([]);
  });

  it.each(['', '/alan', '/alan/reviews'])('says of characters%s that it does not offer them', (path) => {
    const { endpoint } = new Router(notOffered).resolve(`/api/v1/characters${path}`);
    expect(() => endpoint.ANY?.({ path } as Call)).toThrow('is not offered by this gateway');
  });

  it('has an answer, and no page, at the path of every endpoint without the base URL', () => {
    const answering = new Router([...elsewhereRoutes, ...discoveryRoutes].map(({ path }) => ({ path })));
    const asked = routes
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/api/v1/') && !path.startsWith('/api/v1/operator/'))
      .map((path) => path.slice('/api/v1'.length).replace(/\{\w+\}/g, 'a'));
    expect(asked.filter((path) => isForPages(path) || answering.resolve(path).endpoint.ANY)).toEqual([]);
  });

  it('is what a gateway serves, and describes a verb only where it answers it', async () => {
    const { endpoints } = await testGateway();
    expect(endpoints.map(({ path }) => path).sort()).toEqual(
      [...routes, ...elsewhereRoutes, ...probeRoutes, ...discoveryRoutes].map(({ path }) => path).sort(),
    );
    for (const endpoint of endpoints)
      for (const verb of Object.keys(endpoint.docs ?? {})) expect(endpoint[verb as 'GET']).toBeTypeOf('function');
  });
});
