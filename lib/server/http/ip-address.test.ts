import { randomBytes } from 'node:crypto';
import { SocketAddress } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressBlock, canonicalIp } from './ip-address';

describe('one address has one form', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8::0:1', '2001:db8::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['1::', '1::'],
    ['fe80::1%eth0', 'fe80::1'],
    ['FE80::1%25en0', 'fe80::1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['0064:ff9b::c000:0201', '192.0.2.1'],
    ['64:ff9b:1::1', '64:ff9b:1::1'],
    ['::192.0.2.1', '::c000:201'],
    ['::1:192.0.2.1', '::1:c000:201'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
    expect(canonicalIp(canonical)).toBe(canonical);
  });

  it.each([
    '',
    ' ',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.01',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.2.1:80',
    '[::1]',
    '::1]',
    '2001:db8:::1',
    '2001:db8',
    'g::1',
    '::ffff:192.0.2.256',
    '1:2:3:4:5:6:7:8:9',
    'localhost',
    'unknown',
    '_hidden',
    '%eth0',
    '192.0.2.1%eth0',
    '::1\n',
    ' ::1',
    '１92.0.2.1',
  ])('%j is not an address', (text) => expect(canonicalIp(text)).toBeNull());

  it('as the operating system spells it, for any address', () => {
    for (let i = 0; i < 500; i++) {
      const bytes = randomBytes(16);
      // Includes many zeros, because the spellings differ in those.
      for (let at = 0; at < 16; at++) if (((bytes[at] as number) & 3) !== 0) bytes[at] = 0;
      const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
      const long = groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':');
      const canonical = canonicalIp(long) as string;
      expect(canonicalIp(groups.join(':'))).toBe(canonical);
      if (canonical.includes(':'))
        expect(
          new SocketAddress({ address: canonical, family: 'ipv6' }).address.replace(
            /^::(\d+\.\d+\.\d+\.\d+)$/,
            (_all, v4: string) => canonicalIp(`::${v4}`) as string,
          ),
        ).toBe(canonical);
    }
  });
});

describe('one client is counted once', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8:0:0:ffff:ffff:ffff:ffff', '2001:db8::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2002:c000:201:1::1', '2002:c000:201::/48'],
    ['2002:c000:201:ffff::9', '2002:c000:201::/48'],
    ['::1', '::/64'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ])('%s as %s', (ip, block) => expect(addressBlock(ip)).toBe(block));
});
