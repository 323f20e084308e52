import { describe, expect, it } from 'vitest';
import { signInRules } from './sign-in-rules';

const rules = (
  publicUrls: string[],
  { port = 3000, origin = publicUrls[0] ?? 'http://localhost:3000', chainIds = [] as (string | number)[] } = {},
) => signInRules({ publicUrls, port, chainIds }, origin);

describe('what sign-ins a gateway accepts', () => {
  it('this machine by its usual names and its port, where it has no public URL', () => {
    expect([...rules([]).domains]).toEqual(['localhost:3000', '127.0.0.1:3000', '[::1]:3000']);
    expect([...rules([]).origins]).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']);
    expect(rules([], { origin: 'http://192.168.0.7:3000' }).domains).toContain('192.168.0.7:3000');
    expect([...rules([], { port: 80, origin: 'http://localhost:80' }).domains]).toEqual([
      'localhost',
      'localhost:80',
      '127.0.0.1',
      '127.0.0.1:80',
      '[::1]',
      '[::1]:80',
    ]);
  });

  it('public URLs instead of them', () => {
    const { domains, origins } = rules(['https://Gate.Example/', 'http://other.example:8080']);
    expect([...domains]).toEqual(['gate.example', 'gate.example:443', 'other.example:8080']);
    expect([...origins]).toEqual(['https://gate.example', 'http://other.example:8080']);
  });

  it('and its origin by the Host header that names it, with and without the port of its scheme', () => {
    expect([
      ...rules(['https://gate.example', 'http://gate.example', 'http://other.example:8080']).originsByHost,
    ]).toEqual([
      ['gate.example', 'https://gate.example'],
      ['gate.example:443', 'https://gate.example'],
      ['gate.example:80', 'http://gate.example'],
      ['other.example:8080', 'http://other.example:8080'],
    ]);
  });

  it('on Base, on Solana mainnet, and where the operator adds a chain', () => {
    expect([...rules([], { chainIds: [31337, 'eip155:10', '8453'] }).chainIds]).toEqual([
      'eip155:8453',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      'eip155:31337',
      'eip155:10',
    ]);
  });
});
