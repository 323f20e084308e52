import { describe, expect, it } from 'vitest';
import { isApiError } from '@/lib/protocol/errors';
import type { Call } from './call';
import type { Endpoint } from './endpoint';
import { type Match, Router } from './router';

const endpoint = (path: string): Endpoint => ({ path });
const router = new Router([
  endpoint('/api/rpc/{network}'),
  endpoint('/api/rpc/networks'),
  endpoint('/api/image/{operation}/{id}'),
  endpoint('/api/health'),
]);

/** Returns the path of the endpoint, or the code of the error that it answers with. */
function found(match: Match): string {
  if (!match.endpoint.ANY) return match.endpoint.path;
  try {
    void match.endpoint.ANY({} as Call);
  } catch (error) {
    if (isApiError(error)) return error.code;
    throw error;
  }
  return 'answered';
}

describe('a path', () => {
  it('finds a literal before a parameter', () => {
    expect(router.resolve('/api/rpc/networks')).toMatchObject({ endpoint: { path: '/api/rpc/networks' }, params: {} });
    expect(router.resolve('/api/rpc/base-mainnet')).toMatchObject({
      endpoint: { path: '/api/rpc/{network}' },
      params: { network: 'base-mainnet' },
    });
  });

  it('is forgiven one trailing slash, and no more', () => {
    expect(found(router.resolve('/api/health/'))).toBe('/api/health');
    expect(router.resolve('/api/rpc/base-mainnet/').params).toEqual({ network: 'base-mainnet' });
    for (const path of ['/api/health//', '//api/health', '/api//health'])
      expect(found(router.resolve(path)), path).toBe('NOT_FOUND');
  });

  it('has its parameters decoded, each one segment', () => {
    expect(router.resolve('/api/rpc/b%61se').params).toEqual({ network: 'base' });
    expect(router.resolve('/api/rpc/%F0%9F%98%80').params).toEqual({ network: '😀' });
    expect(router.resolve('/api/image/a%2Fb/c').params).toEqual({ operation: 'a/b', id: 'c' });
    expect(router.resolve('/api/rpc/__proto__').params).toEqual({ network: '__proto__' });
  });

  it.each([
    '',
    '/',
    '/api',
    '/api/',
    '/api/rpc',
    '/api/rpc/',
    '/api/rpc//',
    '/api/rpc/a/b',
    '/api/rpc/../health',
    '/api/./health',
    '/API/health',
    '/api/healt',
    '/api/health/x',
    '/api/image/a',
    '/__proto__/x',
    '/api/constructor',
    'api/health/..',
    '/api/health;x',
    '/api%2Fhealth',
    '*',
    '/\\api\\health',
  ])('leads nowhere: %j', (path) => {
    expect(found(router.resolve(path))).toBe('NOT_FOUND');
  });

  it.each(['/api/rpc/%2e%2e', '/api/rpc/..', '/api/rpc/%2e%2e%2fhealth', '/api/rpc/.'])(
    'is not climbed by %s: it is a parameter',
    (path) => {
      expect(found(router.resolve(path))).toBe('/api/rpc/{network}');
    },
  );

  it.each([
    '/api/rpc/%',
    '/api/rpc/%zz',
    '/api/rpc/%ff',
    '/api/rpc/%c3%28',
    '/api/rpc/a%00b',
    '/api/rpc/%0d%0aX: y',
    '/api/rpc/%1f',
  ])('that cannot be read is 400: %s', (path) => {
    expect(found(router.resolve(path))).toBe('INVALID_PATH');
  });
});

describe('a router is refused', () => {
  it('for two endpoints of one path', () => {
    expect(() => new Router([endpoint('/a/{b}'), endpoint('/a/{b}')])).toThrow('/a/{b}');
  });

  it('for two names of one parameter, since only one could be filled', () => {
    expect(() => new Router([endpoint('/a/{b}'), endpoint('/a/{c}/d')])).toThrow('/a/{c}/d');
  });
});
