import { describe, expect, it } from 'vitest';
import { requireKnownHost } from './known-host';

const publicUrls = ['https://rpc.example.com', 'http://rpc.example.com:8080/path'];
const askedAs = (host: string | null) => () => requireKnownHost({ header: () => host }, publicUrls);

describe('requireKnownHost', () => {
  it.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST:9',
    '127.0.0.1:3000',
    '[::1]:3000',
    '192.168.1.7:3000',
    'rpc.example.com',
    'RPC.example.com:8080',
  ])('lets %s pass', (host) => {
    expect(askedAs(host)).not.toThrow();
  });

  it.each([
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    '127.0.0.1.evil.example:3000',
    'rpc.example.com:3000',
    '',
    null,
    'localhost:3000@evil.example',
    '[::1].evil.example',
  ])('refuses %s, which a page may have made resolve to this machine', (host) => {
    expect(askedAs(host)).toThrow(expect.objectContaining({ code: 'WRONG_HOST' }) as Error);
  });
});
