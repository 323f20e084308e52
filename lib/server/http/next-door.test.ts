import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { prepareForNext } from './next-door';

function prepared(url: string, { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {}) {
  const request = { url, method, headers: { ...headers }, socket: { remoteAddress: '10.0.0.7' } } as unknown as IncomingMessage;
  prepareForNext(request);
  return { url: request.url, method: request.method, headers: request.headers };
}

describe('a request on its way to Next', () => {
  it.each(['/', '/rpc', '/apiary', '/_next/a//b', '/rpc?x=/api/'])('for a page is left alone: %s', (url) => {
    expect(prepared(url)).toEqual({ url, method: 'GET', headers: {} });
  });

  it('for an ordinary API path gets only the address of its peer', () => {
    expect(prepared('/api/v1/crypto/rpc/base-mainnet?a=%20', { method: 'POST' })).toEqual({
      url: '/api/v1/crypto/rpc/base-mainnet?a=%20',
      method: 'POST',
      headers: { 'x-turnpike-peer': '10.0.0.7' },
    });
  });

  it('cannot bring these headers itself', () => {
    const forged = { 'x-turnpike-peer': '1.2.3.4', 'x-turnpike-path': '%2Fapi', 'x-turnpike-method': 'GET' };
    expect(prepared('/api/health', { headers: forged }).headers).toEqual({ 'x-turnpike-peer': '10.0.0.7' });
  });

  it('for a whole URL is the request for its path', () => {
    expect(prepared('http://host.example/api/health?a=1')).toEqual({ url: '/api/health?a=1', method: 'GET', headers: { host: 'host.example', 'x-turnpike-peer': '10.0.0.7' } });
    expect(prepared('http://host.example/rpc')).toEqual({ url: '/rpc', method: 'GET', headers: { host: 'host.example' } });
  });

  it('for the server as a whole is kept from Next, which fails on it', () => {
    const { url, method, headers } = prepared('*', { method: 'OPTIONS' });
    expect({ url, method, kept: headers['x-turnpike-path'] }).toEqual({ url: '/api/unrouted', method: 'OPTIONS', kept: '*' });
  });

  it.each(['/api/v1//x', '//api/v1/x', '/api/v1/x/', '/api/%zz', '/api/%', '/api/a/../b', '/api/./b', '/api\\x', '\\api\\x'])(
    'keeps an odd path from Next, for the fallback to answer: %s',
    (path) => {
      const { url, headers } = prepared(`${path}?q=1`);
      expect(url).toBe('/api/unrouted?q=1');
      expect(decodeURIComponent(String(headers['x-turnpike-path']))).toBe(path);
    },
  );

  it('keeps an odd verb from Next, for a 405 that names it', () => {
    const { url, method, headers } = prepared('/api/health', { method: 'TRACE' });
    expect({ url, method, kept: headers['x-turnpike-method'] }).toEqual({ url: '/api/unrouted', method: 'PUT', kept: 'TRACE' });
  });
});
