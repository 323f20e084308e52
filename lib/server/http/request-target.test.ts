import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { isForApi, lacksHost, takeOriginForm } from './request-target';

function taken(url: string, host?: string) {
  const request: { url: string; headers: IncomingHttpHeaders } = { url, headers: host === undefined ? {} : { host } };
  takeOriginForm(request);
  return [request.url, request.headers.host];
}

describe('a target that is a whole URL', () => {
  it.each([
    ['http://localhost:3000/api/v1/models?type=tts', '/api/v1/models?type=tts', 'localhost:3000'],
    ['HTTP://Host.example/API//x', '/API//x', 'Host.example'],
    ['https://host.example', '/', 'host.example'],
    ['http://host.example?a=1', '/?a=1', 'host.example'],
    ['http://user:pass@host.example/x', '/x', 'host.example'],
    ['http://[::1]:3000/x', '/x', '[::1]:3000'],
    ['http:///x', '/x', ''],
  ])('%s is the path %s at the host %s, whatever the Host header says', (url, path, host) => {
    expect(taken(url, 'localhost:1')).toEqual([path, host]);
    expect(taken(url)).toEqual([path, host]);
  });

  it.each(['/api/v1/models', '/http://x/', '//host.example/api', '*', 'host.example:443', ''])('is none of %s, which is left alone', (url) => {
    expect(taken(url, 'localhost:1')).toEqual([url, 'localhost:1']);
  });
});

it('the API answers for its paths and for the server as a whole', () => {
  expect(['/api/', '/api/v1/models', '*'].every(isForApi)).toBe(true);
  expect([undefined, '', '/', '/api', '/apiary', '/rpc?x=/api/', '*x'].some(isForApi)).toBe(false);
});

it('only HTTP/1.1 has to name a host', () => {
  expect(lacksHost({ httpVersion: '1.1', headers: {} })).toBe(true);
  expect(lacksHost({ httpVersion: '1.1', headers: { host: '' } })).toBe(false);
  expect(lacksHost({ httpVersion: '1.0', headers: {} })).toBe(false);
});
