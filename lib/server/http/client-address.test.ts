import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address';

const PEER = '10.0.0.9';

const addressOf = (headers: Record<string, string>, hops: number, peer = PEER) =>
  clientAddress(peer, (name) => headers[name] ?? null, hops);
const byList = (list: string, hops = 1) => addressOf({ 'x-forwarded-for': list }, hops);
const byForwarded = (forwarded: string, hops = 1) => addressOf({ forwarded }, hops);

describe('the address of a client', () => {
  it("is the peer's own where no proxy is trusted, whatever headers say", () => {
    expect(addressOf({}, 0)).toBe(PEER);
    for (const text of ['', '1.1.1.1', '1.1.1.1, 2.2.2.2', 'for=1.1.1.1'])
      expect(addressOf({ 'x-forwarded-for': text, forwarded: text }, 0)).toBe(PEER);
  });

  it('of the peer is in its one form too', () => {
    expect(addressOf({}, 0, '::ffff:127.0.0.1')).toBe('127.0.0.1');
    expect(addressOf({}, 1, 'fe80::1%eth0')).toBe('fe80::1');
    expect(addressOf({}, 0, '')).toBe('');
  });

  it.each([
    ['1.1.1.1', 1, '1.1.1.1'],
    ['6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['6.6.6.6,  1.1.1.1 ,2.2.2.2', 2, '1.1.1.1'],
    ['6.6.6.6, 7.7.7.7, 1.1.1.1, 2.2.2.2, 3.3.3.3', 3, '1.1.1.1'],
    ['1.1.1.1', 2, '1.1.1.1'],
    ['2001:db8::1', 1, '2001:db8::1'],
    ['2001:DB8:0:0::1', 1, '2001:db8::1'],
    ['[2001:db8::1]', 1, '2001:db8::1'],
    ['[2001:db8::1]:443', 1, '2001:db8::1'],
    ['[fe80::1%eth0]:443', 1, 'fe80::1'],
    ['1.1.1.1:50123', 1, '1.1.1.1'],
    ['::ffff:1.1.1.1', 1, '1.1.1.1'],
    ['[::ffff:1.1.1.1]:80', 1, '1.1.1.1'],
    ['64:ff9b::1.1.1.1', 1, '1.1.1.1'],
  ])('is the entry of the outermost trusted proxy: %j behind %i', (list, hops, address) => {
    expect(byList(list, hops)).toBe(address);
  });

  it.each([
    ['for=1.1.1.1', 1, '1.1.1.1'],
    ['for="[2001:DB8::1]:4711";proto=https', 1, '2001:db8::1'],
    ['for=6.6.6.6, for=1.1.1.1;by=2.2.2.2, For="3.3.3.3:80"', 2, '1.1.1.1'],
    ['for=1.1.1.1', 3, '1.1.1.1'],
  ])('in Forwarded as well: %j behind %i', (forwarded, hops, address) => {
    expect(byForwarded(forwarded, hops)).toBe(address);
  });

  it.each([
    '',
    ' ',
    ',',
    '1.1.1.1,',
    '1.1.1.1, ',
    'unknown',
    '_hidden',
    '6.6.6.6, nonsense',
    '1.1.1.1.1',
    '[1.1.1.1',
    '1.1.1.1:',
    '[::1]x',
    `1.1.1.1:${'9'.repeat(100)}`,
    '"1.1.1.1"',
    'localhost',
    '0x01010101',
  ])('is the peer where what its proxy wrote is no address, never what stands before it: %j', (list) =>
    expect(byList(list)).toBe(PEER),
  );

  it('is the nearest address that a trusted proxy wrote where the outermost wrote none', () => {
    expect(byList('6.6.6.6, unknown, 2.2.2.2', 2)).toBe('2.2.2.2');
    expect(byList('6.6.6.6, unknown, _x', 2)).toBe(PEER);
    expect(byForwarded('for=6.6.6.6, for=unknown, for="_x", for=3.3.3.3', 3)).toBe('3.3.3.3');
    expect(byForwarded('for=6.6.6.6, for=unknown')).toBe(PEER);
    expect(byForwarded('for=6.6.6.6, proto=https')).toBe(PEER);
  });

  it('is not changed by a quote that a client left open', () => {
    for (const open of ['for="6.6.6.6', 'for=6.6.6.6;x="', 'for=6.6.6.6, x="\\', 'for=6.6.6.6;x="a"b']) {
      for (const appended of ['for=1.1.1.1', 'for="[2001:db8::1]:80"', 'for="1.1.1.1:80";by="2.2.2.2"']) {
        expect(['1.1.1.1', '2001:db8::1', PEER]).toContain(byForwarded(`${open}, ${appended}`));
      }
    }
  });

  it('is the peer where both headers name different clients: one of them is the client’s own word', () => {
    for (const hops of [1, 2]) {
      expect(addressOf({ 'x-forwarded-for': '1.1.1.1', forwarded: 'for=6.6.6.6' }, hops)).toBe(PEER);
      expect(addressOf({ 'x-forwarded-for': '6.6.6.6', forwarded: 'for=1.1.1.1' }, hops)).toBe(PEER);
    }
    expect(addressOf({ 'x-forwarded-for': '1.1.1.1', forwarded: 'nonsense' }, 1)).toBe(PEER);
    expect(addressOf({ 'x-forwarded-for': '::ffff:1.1.1.1', forwarded: 'for="1.1.1.1:80"' }, 1)).toBe('1.1.1.1');
    // Next fills an absent X-Forwarded-For with the peer.
    expect(addressOf({ 'x-forwarded-for': `::ffff:${PEER}`, forwarded: 'for=1.1.1.1' }, 1)).toBe('1.1.1.1');
  });

  it('costs no more than a glance at a header as long as headers may be', () => {
    const started = performance.now();
    for (const part of [',', '1', '[', ':', '1.1.1.1,', ' ']) byList(part.repeat(16_384), 10);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
