import { describe, expect, it } from 'vitest';
import { isAuthority, isPchars, isUri } from './message-fields';

describe('RFC 3986', () => {
  it.each([
    // Examples of RFC 3986, section 1.1.2.
    'ftp://ftp.is.co.za/rfc/rfc1808.txt',
    'http://www.ietf.org/rfc/rfc2396.txt',
    'ldap://[2001:db8::7]/c=GB?objectClass?one',
    'mailto:John.Doe@example.com',
    'news:comp.infosystems.www.servers.unix',
    'tel:+1-816-555-1212',
    'telnet://192.0.2.16:80/',
    'urn:oasis:names:specification:docbook:dtd:xml:4.1.2',
    'http://[::1]:3000/api/v1/crypto/rpc/base-mainnet?x=1#y',
    'http://localhost:3000',
    'uri://[v7.a:b]',
    'a:',
  ])('%s is a URI', (text) => expect(isUri(text)).toBe(true));

  it.each([
    '',
    '//host/path',
    '/path',
    'host',
    ':a',
    '1a:b',
    'a b:c',
    'http://a b',
    'http://a/\n',
    'http://a/%zz',
    'http://a/%2',
    'http://[::1',
    'http://[1::2::3]',
    'http://a^b',
    'http://é',
    'http://a/"',
    'http://a\\b',
    'http://a/#b#c',
  ])('%j is invalid', (text) => expect(isUri(text)).toBe(false));

  it.each(['localhost', 'localhost:3000', '[::1]:3000', '127.0.0.1', 'user@host:1', 'a_b', '%41', ':80'])(
    '%s is an authority',
    (text) => expect(isAuthority(text)).toBe(true),
  );

  it.each(['', 'a b', '#a', 'a/b', 'a@b@c', 'http://a', 'gаte.example', '[::1', 'a:b', 'a\r', 'a\n', 'a?b'])(
    '%j is invalid',
    (text) => expect(isAuthority(text)).toBe(false),
  );

  it('a request id is made of path characters', () => {
    expect(isPchars('')).toBe(true);
    expect(isPchars('some_id:@!%20')).toBe(true);
    expect(isPchars('some id')).toBe(false);
    expect(isPchars('a\n')).toBe(false);
  });

  it('a hostile text takes no longer than its length', () => {
    for (const text of [
      `http://${'a@'.repeat(4000)}`,
      `http://${'%41'.repeat(4000)}\n`,
      `a:${'/a'.repeat(6000)}\n`,
      `http://[${'1:'.repeat(6000)}]`,
    ])
      expect(isUri(text)).toBe(false);
  });
});
